// Byte data: reads and writes of single bytes, side by side.
#include <cuda_runtime.h>
#include <stdlib.h>
#include "../bench.h"

__global__ void mix(const unsigned char *in, unsigned char *out, int n, int key)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n)
        out[i] = (unsigned char)((in[i] * 3 + key) ^ in[i + 1]);
}

int main()
{
    int n = 1 << 20;
    unsigned char *in, *out;
    cudaMalloc(&in, n);
    cudaMalloc(&out, n);
    cudaMemset(in, 5, n);
    cudaMemset(out, 0, n);
    bench_begin();
    for (int round = 0; round < 4; round++)
        mix<<<n / 256, 256>>>(in, out, n, round);
    cudaDeviceSynchronize();
    bench_end();
    bench_work(4.0 * n * 6);
    unsigned char last[2];
    cudaMemcpy(last, out + n - 3, 2, cudaMemcpyDeviceToHost);
    printf("bytes %d %d\n", last[0], last[1]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
