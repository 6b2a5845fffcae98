// One operation in a loop of 4,096 threads, which `-DOPERATION=…` names: of `x` (unsigned), `f` (float), `d` (double), `h` (half) and `n`,
// which is 0 but nobody knows. Without it, the loop alone.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stdlib.h>
#include "bench.h"

#ifndef OPERATION
#define OPERATION x
#endif

// What is summed of a result: bits, since a conversion of a number would cost as much as what is measured.
template <typename T>
__device__ unsigned bits(T x)
{
    return (unsigned)x;
}
__device__ unsigned bits(float x)
{
    return __float_as_uint(x);
}
__device__ unsigned bits(double x)
{
    return (unsigned)__double_as_longlong(x);
}

__global__ void loop(unsigned *out, int turns, int n)
{
    unsigned x = threadIdx.x + blockIdx.x * blockDim.x, sum = 0;
    for (int i = 0; i < turns; i++) {
        float f = __uint_as_float((x & 0x7fffff) | 0x3f800000);
        double d = (double)f;
        __half h = __ushort_as_half((unsigned short)(x & 0x3fff));
        (void)d, (void)h;
        sum ^= bits(OPERATION) + x;
        x += 12345 + n;
    }
    out[threadIdx.x + blockIdx.x * blockDim.x] = sum;
}

int main(void)
{
    const int threads = 4096, turns = 2000;
    unsigned *out, *result = (unsigned *)malloc(threads * sizeof(unsigned)), all = 0;
    cudaMalloc(&out, threads * sizeof(unsigned));
    BENCH {
        bench_begin();
        loop<<<threads / 256, 256>>>(out, turns, 0);
        cudaDeviceSynchronize();
        bench_end();
    }
    bench_work((double)threads * turns);
    cudaMemcpy(result, out, threads * sizeof(unsigned), cudaMemcpyDeviceToHost);
    for (int i = 0; i < threads; i++)
        all = all * 31 + result[i];
    printf("%u\n", all);
    cudaFree(out);
    free(result);
    return 0;
}
