// Arrays without a length whose elements are of a class that nothing has made complete yet.
#include <cstdio>

template <class T> struct Pair {
    T a, b;
};

__global__ void k(float *out)
{
    __shared__ char before[3];
    if (threadIdx.x < 3) before[threadIdx.x] = 0;
    extern __shared__ Pair<double> s[];
    double *p = reinterpret_cast<double *>(s);
    p[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = p[31 - threadIdx.x];
}

extern Pair<int> elsewhere[];
Pair<int> elsewhere[2] = {{1, 2}, {3, 4}};

int main()
{
    extern Pair<int> elsewhere[];
    float *d, h[32];
    cudaMalloc(&d, sizeof h);
    k<<<1, 32, 256>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    std::printf("%g %g %d\n", h[0], h[31], elsewhere[1].b);
    cudaFree(d);
}
