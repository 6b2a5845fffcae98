// Strided columns: a matrix is transposed without care.
#include <cuda_runtime.h>
#include <stdlib.h>
#include "../bench.h"

__global__ void transpose(const float *in, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
#ifdef FRIENDLY
    out[y * n + x] = in[y * n + x];
#else
    out[x * n + y] = in[y * n + x];
#endif
}

int main()
{
    int n = 512;
    float *in, *out;
    cudaMalloc(&in, n * n * sizeof(float));
    cudaMalloc(&out, n * n * sizeof(float));
    cudaMemset(in, 0, n * n * sizeof(float));
    bench_begin();
    for (int round = 0; round < 4; round++)
        transpose<<<dim3(n / 256, n), 256>>>(in, out, n);
    cudaDeviceSynchronize();
    bench_end();
    bench_work(4.0 * n * n * 6);
    float last;
    cudaMemcpy(&last, out + n * n - 1, sizeof last, cudaMemcpyDeviceToHost);
    printf("columns %g\n", last);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
