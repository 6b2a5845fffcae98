// Sparse matrix-vector product by compressed rows, 32 threads a row, whose parts are added in shared memory.
#include <cuda_runtime.h>
#include "inputs.h"

__global__ void spmv_vector(const int *row, const int *col, const float *val, const float *x, float *y, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x, lane = t % 32, r = blockIdx.x * 8 + t / 32;
    float sum = 0.0f;
    if (r < n)
        for (int k = row[r] + lane; k < row[r + 1]; k += 32)
            sum += val[k] * x[col[k]];
    part[t] = sum;
    __syncthreads();
    for (int s = 16; s > 0; s >>= 1) {
        if (lane < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (lane == 0 && r < n)
        y[r] = part[t];
}

int main(void)
{
    struct csr m = csr_random(SPMV_WIDE_ROWS, SPMV_WIDE_MOST);
    float *x = floats_random(m.n), *y = (float *)malloc(m.n * sizeof(float));
    int *row, *col;
    float *val, *dx, *dy;
    cudaMalloc(&row, (m.n + 1) * sizeof(int));
    cudaMalloc(&col, m.nnz * sizeof(int));
    cudaMalloc(&val, m.nnz * sizeof(float));
    cudaMalloc(&dx, m.n * sizeof(float));
    cudaMalloc(&dy, m.n * sizeof(float));
    cudaMemcpy(row, m.row, (m.n + 1) * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(col, m.col, m.nnz * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(val, m.val, m.nnz * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dx, x, m.n * sizeof(float), cudaMemcpyHostToDevice);
    BENCH {
        bench_begin();
        spmv_vector<<<m.n / 8, 256>>>(row, col, val, dx, dy, m.n);
        cudaDeviceSynchronize();
        bench_end();
    }
    cudaMemcpy(y, dy, m.n * sizeof(float), cudaMemcpyDeviceToHost);
    print_floats("spmv_vector", y, m.n);
    cudaFree(row);
    cudaFree(col);
    cudaFree(val);
    cudaFree(dx);
    cudaFree(dy);
    free(x);
    free(y);
    csr_free(&m);
    return 0;
}
