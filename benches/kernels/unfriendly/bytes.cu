// Byte data: reads and writes of single bytes, side by side.
#include <cuda_runtime.h>
#include <stdlib.h>
#include "../bench.h"

#ifdef FRIENDLY
typedef unsigned T;
#else
typedef unsigned char T;
#endif

__global__ void mix(const T *in, T *out, int n, int key)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n)
        out[i] = (T)((in[i] * 3 + key) ^ in[i + 1]);
}

int main()
{
    int n = 1 << 20;
    T *in, *out;
    cudaMalloc(&in, n * sizeof(T));
    cudaMalloc(&out, n * sizeof(T));
    cudaMemset(in, 5, n * sizeof(T));
    cudaMemset(out, 0, n * sizeof(T));
    bench_begin();
    for (int round = 0; round < 4; round++)
        mix<<<n / 256, 256>>>(in, out, n, round);
    cudaDeviceSynchronize();
    bench_end();
    bench_work(4.0 * n * 6);
    T last[2];
    cudaMemcpy(last, out + n - 3, sizeof last, cudaMemcpyDeviceToHost);
    printf("bytes %d %d\n", last[0], last[1]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
