// Blocks of as many threads as the argument says.
#include <cuda_runtime.h>
#include <stdlib.h>
#include "../bench.h"

__global__ void scale(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
    for (int k = 0; k < 8; k++)
        x = x * 0.5f + 1.0f;
    out[i] = x;
}

int main(int argc, char **argv)
{
    int n = 1 << 17, threads = argc > 1 ? atoi(argv[1]) : 256;
#ifdef FRIENDLY
    threads = 256;
#endif
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemset(in, 0, n * sizeof(float));
    bench_begin();
    scale<<<n / threads, threads>>>(in, out);
    cudaDeviceSynchronize();
    bench_end();
    bench_work(n * 20.0);
    float last;
    cudaMemcpy(&last, out + n - 1, sizeof last, cudaMemcpyDeviceToHost);
    printf("blocks %g\n", last);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
