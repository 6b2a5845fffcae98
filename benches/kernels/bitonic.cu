// Bitonic sort of 512 blocks of 256 keys each, in shared memory.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>
#include "bench.h"

#define BLOCK 256

__global__ void bitonic(int *data)
{
    __shared__ int s[BLOCK];
    unsigned t = threadIdx.x;
    s[t] = data[blockIdx.x * BLOCK + t];
    __syncthreads();
    for (unsigned k = 2; k <= BLOCK; k <<= 1) {
        for (unsigned j = k >> 1; j > 0; j >>= 1) {
            unsigned o = t ^ j;
            if (o > t) {
                int a = s[t], b = s[o];
                if ((t & k) == 0 ? a > b : a < b) {
                    s[t] = b;
                    s[o] = a;
                }
            }
            __syncthreads();
        }
    }
    data[blockIdx.x * BLOCK + t] = s[t];
}

int main(int argc, char **argv)
{
    int blocks = argc > 1 ? atoi(argv[1]) : 512;
    int n = blocks * BLOCK;
    int *h = (int *)malloc(n * sizeof(int));
    unsigned x = 1;
    for (int i = 0; i < n; i++) {
        x = x * 1103515245u + 12345u;
        h[i] = (int)(x >> 8) & 0xffff;
    }
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    BENCH {
        cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
        bench_begin();
        bitonic<<<blocks, BLOCK>>>(d);
        cudaDeviceSynchronize();
        bench_end();
    }
    cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
    int bad = 0;
    long long sum = 0;
    for (int i = 0; i < n; i++) {
        if (i % BLOCK && h[i - 1] > h[i])
            bad++;
        sum += (long long)h[i] * (i % BLOCK);
    }
    printf("bitonic %d %lld\n", bad, sum);
    cudaFree(d);
    free(h);
    return 0;
}
