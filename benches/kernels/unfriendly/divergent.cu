// Long loops with another number of turns in every thread: the Collatz sequence.
#include <cuda_runtime.h>
#include <stdlib.h>
#include "../bench.h"

__global__ void collatz(int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FRIENDLY
    // The same for all, but not known to be.
    unsigned x = 871 + t / (1 << 20);
#else
    unsigned x = t + 1;
#endif
    int steps = 0;
    while (x != 1) {
        if (x & 1)
            x = 3 * x + 1;
        else
            x >>= 1;
        steps++;
    }
    out[t] = steps;
}

int main()
{
    int n = 1 << 13;
    int *out = (int *)malloc(n * sizeof(int)), *dout;
    cudaMalloc(&dout, n * sizeof(int));
    bench_begin();
    collatz<<<n / 256, 256>>>(dout);
    cudaDeviceSynchronize();
    bench_end();
    cudaMemcpy(out, dout, n * sizeof(int), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += out[i];
    bench_work(sum * 4);
    printf("divergent %.0f\n", sum);
    cudaFree(dout);
    free(out);
    return 0;
}
