// Tree reduction in shared memory, one partial sum a block.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>
#include "bench.h"

#define BLOCK 256

__global__ void reduce(const int *in, int *out)
{
    __shared__ int part[BLOCK];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * BLOCK + t];
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s >>= 1) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

int main(int argc, char **argv)
{
    int blocks = (argc > 1 ? atoi(argv[1]) : 1 << 20) / BLOCK;
    int n = blocks * BLOCK;
    int *in = (int *)malloc(n * sizeof(int)), *out = (int *)malloc(blocks * sizeof(int));
    for (int i = 0; i < n; i++)
        in[i] = i % 13;
    int *din, *dout;
    cudaMalloc(&din, n * sizeof(int));
    cudaMalloc(&dout, blocks * sizeof(int));
    cudaMemcpy(din, in, n * sizeof(int), cudaMemcpyHostToDevice);
    BENCH {
        bench_begin();
        reduce<<<blocks, BLOCK>>>(din, dout);
        cudaDeviceSynchronize();
        bench_end();
    }
    cudaMemcpy(out, dout, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int i = 0; i < blocks; i++)
        sum += out[i];
    printf("reduce %lld\n", sum);
    cudaFree(din);
    cudaFree(dout);
    free(in);
    free(out);
    return 0;
}
