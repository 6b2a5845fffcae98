// Transpose through a tile of shared memory, whose columns are read: 32 x 32 elements by 32 x 8 threads.
#include <cuda_runtime.h>
#include "inputs.h"

__global__ void transpose(const float *in, float *out, int n)
{
    __shared__ float tile[32][33];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        tile[ty + j][tx] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + tx;
    y = blockIdx.x * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        out[(y + j) * n + x] = tile[tx][ty + j];
}

int main(void)
{
    int n = TRANSPOSE_SIZE;
    float *h = floats_random(n * n), *in, *out;
    cudaMalloc(&in, n * n * sizeof(float));
    cudaMalloc(&out, n * n * sizeof(float));
    cudaMemcpy(in, h, n * n * sizeof(float), cudaMemcpyHostToDevice);
    BENCH {
        bench_begin();
        transpose<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(in, out, n);
        cudaDeviceSynchronize();
        bench_end();
    }
    cudaMemcpy(h, out, n * n * sizeof(float), cudaMemcpyDeviceToHost);
    print_floats("transpose", h, n * n);
    cudaFree(in);
    cudaFree(out);
    free(h);
    return 0;
}
