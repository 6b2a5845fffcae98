// A kernel and the loop that checks it: the matrix product, 512 by 512.
#include "host.h"

static void matmul_cpu(const float *a, const float *b, float *c, int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int k = 0; k < n; k++) {
                sum += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}

#ifndef NO_DEVICE
__global__ void matmul(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}
#endif

int main(void)
{
    const int n = 512;
    size_t bytes = sizeof(float) * n * n;
    float *a = (float *)malloc(bytes);
    float *b = (float *)malloc(bytes);
    float *c = (float *)malloc(bytes);
    for (int i = 0; i < n * n; i++) {
        a[i] = (float)(host_random() % 8);
        b[i] = (float)(host_random() % 8);
    }
    host_begin();
    matmul_cpu(a, b, c, n);
    host_end();
    double sum = 0.0;
    for (int i = 0; i < n * n; i++)
        sum += c[i] * (i % 7);
    printf("%.0f\n", sum);
#ifndef NO_DEVICE
    float *da, *db, *dc;
    cudaMalloc(&da, bytes);
    cudaMalloc(&db, bytes);
    cudaMalloc(&dc, bytes);
    cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice);
    // Integers below 2^24: contracted or not, the sums are the same.
    matmul<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(da, db, dc, n);
    cudaMemcpy(a, dc, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n * n; i++) {
        if (a[i] != c[i]) {
            printf("kernel and loop differ at %d\n", i);
            break;
        }
    }
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
#endif
    free(a);
    free(b);
    free(c);
    return 0;
}
