// Functions of thrust::complex and cuda::std::complex, on both sides, against the C library's: a few units in the last place,
// infinities, signs of zeros and what is no number as C has them.
// std: c++14
#include <complex>
#include <cstdio>
#include <cstring>
#include <cuda/std/complex>
#include <thrust/complex.h>

static const char *const NAMES[] = {"sqrt", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh",
                                    "asin", "acos", "atan", "asinh", "acosh", "atanh"};
constexpr int FUNCTIONS = 15;

#define ALL(N, z)                                                                                                      \
    {                                                                                                                  \
        N::sqrt(z), N::exp(z), N::log(z), N::sin(z), N::cos(z), N::tan(z), N::sinh(z), N::cosh(z), N::tanh(z),         \
            N::asin(z), N::acos(z), N::atan(z), N::asinh(z), N::acosh(z), N::atanh(z)                                  \
    }

template <class T> __global__ void all(const thrust::complex<T> *in, thrust::complex<T> *out, cuda::std::complex<T> *other, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const thrust::complex<T> z = in[i];
    const thrust::complex<T> results[FUNCTIONS] = ALL(thrust, z);
    const cuda::std::complex<T> w(z.real(), z.imag());
    const cuda::std::complex<T> others[FUNCTIONS] = ALL(cuda::std, w);
    for (int f = 0; f < FUNCTIONS; f++) {
        out[i * FUNCTIONS + f] = results[f];
        other[i * FUNCTIONS + f] = others[f];
    }
}

// Beside what is no number the other part's sign is anyone's.
template <class T> bool agree(T got, T want, T beside) {
    if (want != want) return got != got;
    if (beside != beside) return std::abs(got) == std::abs(want);
    if (want - want != 0 || got - got != 0 || want == 0) return got == want && std::signbit(got) == std::signbit(want);
    const T unit = std::numeric_limits<T>::epsilon() * std::abs(want) + std::numeric_limits<T>::denorm_min();
    return std::abs(got - want) <= 12 * unit;
}

template <class T, class C> int wrong(const char *where, int f, std::complex<T> z, const C &got, std::complex<T> want) {
    if (agree(got.real(), want.real(), want.imag()) && agree(got.imag(), want.imag(), want.real())) return 0;
    printf("%s %s(%.9g, %.9g) is (%.9g, %.9g), not (%.9g, %.9g)\n", where, NAMES[f], double(z.real()), double(z.imag()),
           double(got.real()), double(got.imag()), double(want.real()), double(want.imag()));
    return 1;
}

template <class T> void check(const T *values, int count) {
    const int n = count * count;
    thrust::complex<T> *in, *out;
    cuda::std::complex<T> *other;
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&out, n * FUNCTIONS * sizeof *out);
    cudaMallocManaged(&other, n * FUNCTIONS * sizeof *other);
    for (int i = 0; i < n; i++) in[i] = thrust::complex<T>(values[i / count], values[i % count]);
    all<T><<<(n + 63) / 64, 64>>>(in, out, other, n);
    cudaDeviceSynchronize();
    int bad = 0;
    for (int i = 0; i < n; i++) {
        const std::complex<T> z(in[i].real(), in[i].imag());
        const std::complex<T> wanted[FUNCTIONS] = ALL(std, z);
        const thrust::complex<T> here[FUNCTIONS] = ALL(thrust, in[i]);
        for (int f = 0; f < FUNCTIONS; f++) {
            bad += wrong("here", f, z, here[f], wanted[f]);
            bad += wrong("there", f, z, out[i * FUNCTIONS + f], wanted[f]);
            if (memcmp(&out[i * FUNCTIONS + f], &other[i * FUNCTIONS + f], sizeof *other) != 0)
                bad += wrong("other", f, z, other[i * FUNCTIONS + f], wanted[f]);
        }
    }
    printf("%d of %d values are wrong\n", bad, n * FUNCTIONS);
    cudaFree(in);
    cudaFree(out);
    cudaFree(other);
}

int main() {
    const double doubles[] = {-INFINITY, -1e200, -1000, -3, -1, -0.5, -1e-20, -0.0, 0.0, 1e-200, 1e-9, 0.25, 0.999, 1, 1.5, 40, 1e9, 1e200, INFINITY, NAN};
    const float floats[] = {-INFINITY, -1e30f, -3000, -50, -1, -0.5f, -1e-5f, -0.0f, 0.0f, 1e-30f, 1e-5f, 0.25f, 0.999f, 1, 1.5f, 3, 50, 3000, 1e30f, INFINITY, NAN};
    check(doubles, sizeof doubles / sizeof *doubles);
    check(floats, sizeof floats / sizeof *floats);
}
