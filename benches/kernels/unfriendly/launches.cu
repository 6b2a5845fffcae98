// Many tiny launches.
#include <cuda_runtime.h>
#include <stdlib.h>
#include "../bench.h"

__global__ void step(int *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

int main()
{
    int launches = 10000;
    int *x;
    int n = launches * 32;
    cudaMalloc(&x, n * sizeof(int));
    cudaMemset(x, 0, n * sizeof(int));
    bench_begin();
#ifdef FRIENDLY
    step<<<launches / 8, 256>>>(x);
#else
    for (int i = 0; i < launches; i++)
        step<<<1, 32>>>(x);
#endif
    cudaDeviceSynchronize();
    bench_end();
    bench_work(launches * 32.0 * 3);
    int last;
    cudaMemcpy(&last, x + 31, sizeof last, cudaMemcpyDeviceToHost);
    printf("launches %d\n", last);
    cudaFree(x);
    return 0;
}
