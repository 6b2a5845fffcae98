// A grid of a million blocks with several shared arrays and a local one.
#include <cuda_runtime.h>
#include <stdlib.h>
#include "../bench.h"

#ifdef FRIENDLY
#define WARPS 8
#else
#define WARPS 1
#endif

__global__ void work(int *out)
{
    __shared__ int a[32 * WARPS];
    __shared__ int b[32 * WARPS];
    __shared__ float c[64 * WARPS];
    int local[4];
    int t = threadIdx.x;
    a[t] = t + blockIdx.x;
    b[t] = t * 2;
    c[t] = 1.0f;
    __syncthreads();
    for (int i = 0; i < 4; i++)
        local[(i + t) % 4] = a[32 * WARPS - 1 - t] + b[t];
    if (local[t % 4] == 64)
        atomicAdd(out, (int)c[t]);
}

int main(int argc, char **argv)
{
    int blocks = argc > 1 ? atoi(argv[1]) : 1000000;
    int *out;
    cudaMalloc(&out, sizeof(int));
    cudaMemset(out, 0, sizeof(int));
    bench_begin();
    work<<<blocks / WARPS, 32 * WARPS>>>(out);
    cudaDeviceSynchronize();
    bench_end();
    bench_work(blocks * 32.0 * 30);
    int last;
    cudaMemcpy(&last, out, sizeof last, cudaMemcpyDeviceToHost);
    printf("million %d\n", last);
    cudaFree(out);
    return 0;
}
