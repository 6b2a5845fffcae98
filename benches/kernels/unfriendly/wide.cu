// 64-bit data: doubles and 64-bit integers.
#include <cuda_runtime.h>
#include <stdlib.h>
#include "../bench.h"

__global__ void axpy(const double *x, double *y, long long *count, double a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a * x[i] + y[i];
        count[i] = count[i] * 3 + i;
    }
}

int main()
{
    int n = 1 << 18;
    double *x, *y;
    long long *count;
    cudaMalloc(&x, n * sizeof(double));
    cudaMalloc(&y, n * sizeof(double));
    cudaMalloc(&count, n * sizeof(long long));
    cudaMemset(x, 0, n * sizeof(double));
    cudaMemset(y, 0, n * sizeof(double));
    cudaMemset(count, 0, n * sizeof(long long));
    bench_begin();
    for (int round = 0; round < 4; round++)
        axpy<<<n / 256, 256>>>(x, y, count, 0.5, n);
    cudaDeviceSynchronize();
    bench_end();
    bench_work(4.0 * n * 10);
    long long last;
    cudaMemcpy(&last, count + n - 1, sizeof last, cudaMemcpyDeviceToHost);
    printf("wide %lld\n", last);
    cudaFree(x);
    cudaFree(y);
    cudaFree(count);
    return 0;
}
