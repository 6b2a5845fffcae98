// The 10000th number of each engine, as Thrust's documentation has it: its ranlux48 is not the standard's.
// std: c++14
#include <cstdio>
#include <thrust/random.h>

template <class E> __host__ __device__ unsigned long long ten_thousandth() {
    E engine;
    engine.discard(9999);
    return engine();
}

__global__ void there(unsigned long long *out) { *out = ten_thousandth<thrust::ranlux48_base>(); }

int main() {
    printf("%llu\n", ten_thousandth<thrust::ranlux24_base>());
    printf("%llu\n", ten_thousandth<thrust::ranlux48_base>());
    printf("%llu\n", ten_thousandth<thrust::ranlux24>());
    printf("%llu\n", ten_thousandth<thrust::ranlux48>());
    printf("%llu\n", ten_thousandth<thrust::taus88>());
    printf("%llu\n", ten_thousandth<thrust::minstd_rand>());
    printf("%llu\n", ten_thousandth<thrust::minstd_rand0>());
    unsigned long long *d, h;
    cudaMalloc(&d, sizeof *d);
    there<<<1, 1>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    printf("%llu\n", h);
}
