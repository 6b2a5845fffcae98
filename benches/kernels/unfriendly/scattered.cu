// Scattered indices: a permutation is read and written through.
#include <cuda_runtime.h>
#include <stdlib.h>
#include "../bench.h"

__global__ void permute(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FRIENDLY
    unsigned from = (unsigned)i % (unsigned)n, to = from;
#else
    unsigned from = (unsigned)i * 40503u % (unsigned)n, to = (unsigned)i * 30011u % (unsigned)n;
#endif
    out[to] = in[from] + i;
}

int main()
{
    int n = 1 << 18;
    int *in, *out;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMemset(in, 0, n * sizeof(int));
    bench_begin();
    for (int round = 0; round < 4; round++)
        permute<<<n / 256, 256>>>(in, out, n);
    cudaDeviceSynchronize();
    bench_end();
    bench_work(4.0 * n * 7);
    int last;
    cudaMemcpy(&last, out + n - 1, sizeof last, cudaMemcpyDeviceToHost);
    printf("scattered %d\n", last);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
