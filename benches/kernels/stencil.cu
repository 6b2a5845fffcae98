// Five-point stencil on a 512x512 grid, four steps.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>
#include "bench.h"

__global__ void stencil(const float *in, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
        out[y * n + x] = 0.2f * (in[y * n + x] + in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]);
    else
        out[y * n + x] = in[y * n + x];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 512;
    size_t bytes = (size_t)n * n * sizeof(float);
    float *h = (float *)malloc(bytes);
    for (int i = 0; i < n * n; i++)
        h[i] = (float)(i % 17);
    float *a, *b;
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    BENCH {
        cudaMemcpy(a, h, bytes, cudaMemcpyHostToDevice);
        bench_begin();
        for (int step = 0; step < 4; step++) {
            stencil<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(a, b, n);
            float *t = a;
            a = b;
            b = t;
        }
        cudaDeviceSynchronize();
        bench_end();
    }
    cudaMemcpy(h, a, bytes, cudaMemcpyDeviceToHost);
    double sum = 0.0;
    for (int i = 0; i < n * n; i++)
        sum += h[i] * (i % 3);
    printf("stencil %.3f\n", sum);
    cudaFree(a);
    cudaFree(b);
    free(h);
    return 0;
}
