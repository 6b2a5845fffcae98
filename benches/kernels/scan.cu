// Blelloch's exclusive scan of 512 elements a block, in shared memory.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>
#include "bench.h"

#define BLOCK 256
#define ITEMS (2 * BLOCK)

__global__ void scan(const int *in, int *out)
{
    __shared__ int s[ITEMS];
    int t = threadIdx.x, base = blockIdx.x * ITEMS, offset = 1;
    s[2 * t] = in[base + 2 * t];
    s[2 * t + 1] = in[base + 2 * t + 1];
    for (int d = ITEMS >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            s[b] += s[a];
        }
        offset *= 2;
    }
    if (t == 0)
        s[ITEMS - 1] = 0;
    for (int d = 1; d < ITEMS; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            int x = s[a];
            s[a] = s[b];
            s[b] += x;
        }
    }
    __syncthreads();
    out[base + 2 * t] = s[2 * t];
    out[base + 2 * t + 1] = s[2 * t + 1];
}

int main(int argc, char **argv)
{
    int blocks = (argc > 1 ? atoi(argv[1]) : 1 << 20) / ITEMS;
    int n = blocks * ITEMS;
    int *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        h[i] = i % 9;
    int *din, *dout;
    cudaMalloc(&din, n * sizeof(int));
    cudaMalloc(&dout, n * sizeof(int));
    cudaMemcpy(din, h, n * sizeof(int), cudaMemcpyHostToDevice);
    BENCH {
        bench_begin();
        scan<<<blocks, BLOCK>>>(din, dout);
        cudaDeviceSynchronize();
        bench_end();
    }
    cudaMemcpy(h, dout, n * sizeof(int), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int i = 0; i < n; i++)
        sum += (long long)h[i] * (i % 5);
    printf("scan %lld\n", sum);
    cudaFree(din);
    cudaFree(dout);
    free(h);
    return 0;
}
