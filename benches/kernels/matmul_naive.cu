// Matrix product, one element a thread, straight from global memory.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>
#include "bench.h"

#define T 16

__global__ void matmul_naive(const float *a, const float *b, float *c, int n)
{
    int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
    float sum = 0.0f;
    for (int i = 0; i < n; i++)
        sum += a[y * n + i] * b[i * n + x];
    c[y * n + x] = sum;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 256;
    size_t bytes = (size_t)n * n * sizeof(float);
    float *a = (float *)malloc(bytes), *b = (float *)malloc(bytes), *c = (float *)malloc(bytes);
    for (int i = 0; i < n * n; i++) {
        a[i] = (float)(i % 7);
        b[i] = (float)(i % 5) - 2.0f;
    }
    float *da, *db, *dc;
    cudaMalloc(&da, bytes);
    cudaMalloc(&db, bytes);
    cudaMalloc(&dc, bytes);
    cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice);
    BENCH {
        bench_begin();
        matmul_naive<<<dim3(n / T, n / T), dim3(T, T)>>>(da, db, dc, n);
        cudaDeviceSynchronize();
        bench_end();
    }
    cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost);
    double sum = 0.0;
    for (int i = 0; i < n * n; i++)
        sum += c[i] * (i % 11);
    printf("matmul_naive %.1f\n", sum);
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    free(a);
    free(b);
    free(c);
    return 0;
}
