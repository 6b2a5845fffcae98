// Histogram of 256 bins: atomics in shared memory, then in global memory.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>
#include "bench.h"

#define BINS 256

__global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned local[BINS];
    local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[in[i] & (BINS - 1)], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 20;
    unsigned *in = (unsigned *)malloc(n * sizeof(unsigned)), bins[BINS];
    unsigned x = 12345;
    for (int i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        in[i] = x >> 16;
    }
    unsigned *din, *dbins;
    cudaMalloc(&din, n * sizeof(unsigned));
    cudaMalloc(&dbins, sizeof bins);
    cudaMemcpy(din, in, n * sizeof(unsigned), cudaMemcpyHostToDevice);
    BENCH {
        cudaMemset(dbins, 0, sizeof bins);
        bench_begin();
        histogram<<<64, BINS>>>(din, dbins, n);
        cudaDeviceSynchronize();
        bench_end();
    }
    cudaMemcpy(bins, dbins, sizeof bins, cudaMemcpyDeviceToHost);
    unsigned long long sum = 0;
    for (int i = 0; i < BINS; i++)
        sum += (unsigned long long)bins[i] * (i + 1);
    printf("histogram %llu\n", sum);
    cudaFree(din);
    cudaFree(dbins);
    free(in);
    return 0;
}
