// Many tiny launches.
#include <cuda_runtime.h>
#include <stdlib.h>
#include "../bench.h"

__global__ void step(int *x)
{
    x[threadIdx.x] += 1;
}

int main()
{
    int launches = 10000;
    int *x;
    cudaMalloc(&x, 32 * sizeof(int));
    cudaMemset(x, 0, 32 * sizeof(int));
    bench_begin();
    for (int i = 0; i < launches; i++)
        step<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    bench_end();
    bench_work(launches * 32.0 * 3);
    int last;
    cudaMemcpy(&last, x + 31, sizeof last, cudaMemcpyDeviceToHost);
    printf("launches %d\n", last);
    cudaFree(x);
    return 0;
}
