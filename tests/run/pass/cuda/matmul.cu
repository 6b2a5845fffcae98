// Tiled matrix product in shared memory, compared with the plain one.
#include <stdio.h>
#include <stdlib.h>

#define TILE 8

__global__ void tiled(const float *a, const float *b, float *c, int n) {
    __shared__ float ta[TILE][TILE], tb[TILE][TILE + 1];
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int tile = 0; tile < (n + TILE - 1) / TILE; ++tile) {
        int k = tile * TILE + threadIdx.x, l = tile * TILE + threadIdx.y;
        ta[threadIdx.y][threadIdx.x] = row < n && k < n ? a[row * n + k] : 0;
        tb[threadIdx.y][threadIdx.x] = l < n && col < n ? b[l * n + col] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; ++i) sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
        __syncthreads();
    }
    if (row < n && col < n) c[row * n + col] = sum;
}

__global__ void plain(const float *a, const float *b, float *c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || col >= n) return;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}

int main() {
    const int n = 27;
    size_t size = n * n * sizeof(float);
    float *a = (float *)malloc(size), *b = (float *)malloc(size), *c = (float *)malloc(size),
          *d = (float *)malloc(size), *da, *db, *dc;
    for (int i = 0; i < n * n; ++i) {
        a[i] = (float)(i % 13 - 6);
        b[i] = (float)(i % 7 - 3);
    }
    cudaMalloc(&da, size);
    cudaMalloc(&db, size);
    cudaMalloc(&dc, size);
    cudaMemcpy(da, a, size, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, size, cudaMemcpyHostToDevice);
    dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
    tiled<<<grid, block>>>(da, db, dc, n);
    cudaMemcpy(c, dc, size, cudaMemcpyDeviceToHost);
    cudaMemset(dc, 0, size);
    plain<<<grid, block>>>(da, db, dc, n);
    cudaMemcpy(d, dc, size, cudaMemcpyDeviceToHost);
    int wrong = 0;
    double trace = 0;
    for (int i = 0; i < n * n; ++i) wrong += c[i] != d[i];
    for (int i = 0; i < n; ++i) trace += c[i * n + i];
    printf("%d wrong, trace %g\n", wrong, trace);
    free(a);
    free(b);
    free(c);
    free(d);
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    return 0;
}
