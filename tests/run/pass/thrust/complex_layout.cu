// Numbers of both classes are aligned to their size and can be shared variables; what std::complex computes on the host is the C
// library's.
// std: c++17
#include <complex>
#include <cstdio>
#include <cuda/std/complex>
#include <thrust/complex.h>

struct Thrust {
    float a;
    thrust::complex<float> z;
};
struct Other {
    double a;
    cuda::std::complex<double> z;
};

__global__ void shared(float *out) {
    __shared__ thrust::complex<float> s[32];
    s[threadIdx.x] = thrust::complex<float>(threadIdx.x, 1);
    __syncthreads();
    const thrust::complex<float> z = s[31 - threadIdx.x] * thrust::complex<float>();
    const cuda::std::complex<float> w = cuda::std::complex<float>(s[31 - threadIdx.x].real(), 2) / 2.0f;
    out[threadIdx.x] = z.real() + w.real() + cuda::std::abs(w - w) + cuda::std::sqrt(4.0f);
}

template <class T> void show(const char *what, T z) { printf("%s (%g, %g)\n", what, double(z.real()), double(z.imag())); }

int main() {
    printf("%zu %zu %zu %zu\n", sizeof(Thrust), sizeof(Other), alignof(thrust::complex<double>), alignof(cuda::std::complex<float>));
    float *d, h[32];
    cudaMalloc(&d, sizeof h);
    shared<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    printf("%g %g\n", h[0], h[31]);
    using C = std::complex<double>;
    using F = std::complex<float>;
    show("tanh", std::tanh(C(1000, 0)));
    show("asinh", std::asinh(F(-3000, 0)));
    show("sqrt", std::sqrt(C(-4, -0.0)));
    show("acos", std::acos(F(3000, 0)));
    show("abs", C(std::abs(C(3e200, 4e200))));
    show("tan", std::tan(C(0.5, 400)));
    show("proj", thrust::proj(thrust::complex<double>(3, 4)));
    show("proj", thrust::proj(thrust::complex<double>(3, -INFINITY)));
    show("product", cuda::std::complex<double>(INFINITY, NAN) * cuda::std::complex<double>(1, 2));
    show("quotient", cuda::std::complex<double>(3e300, 4e300) / cuda::std::complex<double>(3e300, 4e300));
    show("conj", C(cuda::std::conj(cuda::std::complex<float>(1, 2))));
    show("pow", cuda::std::pow(cuda::std::complex<double>(0, 2), 2));
    show("polar", cuda::std::polar(2.0, 0.0));
}
