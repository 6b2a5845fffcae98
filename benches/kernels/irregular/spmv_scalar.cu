// Sparse matrix-vector product by compressed rows, a thread a row: rows of unequal length, gathers.
#include <cuda_runtime.h>
#include "inputs.h"

__global__ void spmv_scalar(const int *row, const int *col, const float *val, const float *x, float *y, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n) {
        float sum = 0.0f;
        for (int k = row[r]; k < row[r + 1]; k++)
            sum += val[k] * x[col[k]];
        y[r] = sum;
    }
}

int main(void)
{
    struct csr m = csr_random(SPMV_ROWS, SPMV_MOST);
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
        spmv_scalar<<<m.n / 256, 256>>>(row, col, val, dx, dy, m.n);
        cudaDeviceSynchronize();
        bench_end();
    }
    cudaMemcpy(y, dy, m.n * sizeof(float), cudaMemcpyDeviceToHost);
    print_floats("spmv_scalar", y, m.n);
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
