// Gauss elimination without pivots, two launches a column: the factors, down a column, and the rest, whose tiles begin
// one element later each time.
#include <cuda_runtime.h>
#include "inputs.h"

__global__ void gauss_factors(const float *a, float *f, int n, int k)
{
    int i = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        f[i] = a[i * (n + 1) + k] / a[k * (n + 1) + k];
}

__global__ void gauss_rest(float *a, const float *f, int n, int k)
{
    int j = k + blockIdx.x * blockDim.x + threadIdx.x, i = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j <= n)
        a[i * (n + 1) + j] -= f[i] * a[k * (n + 1) + j];
}

int main(void)
{
    int n = GAUSS_SIZE;
    size_t bytes = (size_t)n * (n + 1) * sizeof(float);
    float *h = gauss_matrix(n), *a, *f;
    cudaMalloc(&a, bytes);
    cudaMalloc(&f, n * sizeof(float));
    BENCH {
        cudaMemcpy(a, h, bytes, cudaMemcpyHostToDevice);
        bench_begin();
        for (int k = 0; k < n - 1; k++) {
            int rows = n - 1 - k, columns = n + 1 - k;
            gauss_factors<<<(rows + 63) / 64, 64>>>(a, f, n, k);
            gauss_rest<<<dim3((columns + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(a, f, n, k);
        }
        cudaDeviceSynchronize();
        bench_end();
    }
    cudaMemcpy(h, a, bytes, cudaMemcpyDeviceToHost);
    print_gauss(h, n);
    cudaFree(a);
    cudaFree(f);
    free(h);
    return 0;
}
