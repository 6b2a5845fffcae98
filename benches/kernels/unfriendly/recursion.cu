// Recursion, to another depth in every thread.
#include <cuda_runtime.h>
#include <stdlib.h>
#include "../bench.h"

#ifdef FRIENDLY
#define DEPTH 9
#else
#define DEPTH (6 + t % 4)
#endif

__device__ int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__global__ void run(int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = fib(DEPTH);
}

int main()
{
    int n = 1 << 12;
    int *out;
    cudaMalloc(&out, n * sizeof(int));
    bench_begin();
    run<<<n / 256, 256>>>(out);
    cudaDeviceSynchronize();
    bench_end();
    // fib(n) makes 2 fib(n + 1) - 1 calls.
#ifdef FRIENDLY
    bench_work(n * 109.0 * 5);
#else
    bench_work(n / 4 * (25.0 + 41 + 67 + 109) * 5);
#endif
    int last;
    cudaMemcpy(&last, out + n - 1, sizeof last, cudaMemcpyDeviceToHost);
    printf("recursion %d\n", last);
    cudaFree(out);
    return 0;
}
