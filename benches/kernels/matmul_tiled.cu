// Matrix product with 16x16 tiles in shared memory.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>
#include "bench.h"

#define T 16

__global__ void matmul_tiled(const float *a, const float *b, float *c, int n)
{
    __shared__ float ta[T][T], tb[T][T];
    int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
    float sum = 0.0f;
    for (int k = 0; k < n; k += T) {
        ta[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
        tb[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
        __syncthreads();
        for (int i = 0; i < T; i++)
            sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
        __syncthreads();
    }
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
        matmul_tiled<<<dim3(n / T, n / T), dim3(T, T)>>>(da, db, dc, n);
        cudaDeviceSynchronize();
        bench_end();
    }
    cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost);
    double sum = 0.0;
    for (int i = 0; i < n * n; i++)
        sum += c[i] * (i % 11);
    printf("matmul_tiled %.1f\n", sum);
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    free(a);
    free(b);
    free(c);
    return 0;
}
