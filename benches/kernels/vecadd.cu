// Vector addition: one element a thread, all accesses contiguous.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>
#include "bench.h"

__global__ void vecadd(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 20;
    size_t bytes = n * sizeof(float);
    float *a = (float *)malloc(bytes), *b = (float *)malloc(bytes), *c = (float *)malloc(bytes);
    for (int i = 0; i < n; i++) {
        a[i] = (float)(i % 1000);
        b[i] = (float)(i % 77) * 0.5f;
    }
    float *da, *db, *dc;
    cudaMalloc(&da, bytes);
    cudaMalloc(&db, bytes);
    cudaMalloc(&dc, bytes);
    cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice);
    BENCH {
        bench_begin();
        vecadd<<<(n + 255) / 256, 256>>>(da, db, dc, n);
        cudaDeviceSynchronize();
        bench_end();
    }
    cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost);
    printf("vecadd %g %g %g\n", c[0], c[n / 2], c[n - 1]);
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    free(a);
    free(b);
    free(c);
    return 0;
}
