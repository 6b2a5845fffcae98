// 64-bit data: doubles and 64-bit integers.
#include <cuda_runtime.h>
#include <stdlib.h>
#include "../bench.h"

#ifdef FRIENDLY
typedef float Real;
typedef int Integer;
#else
typedef double Real;
typedef long long Integer;
#endif

__global__ void axpy(const Real *x, Real *y, Integer *count, Real a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a * x[i] + y[i];
        count[i] = count[i] * 3 + i;
    }
}

int main()
{
    int n = 1 << 18;
    Real *x, *y;
    Integer *count;
    cudaMalloc(&x, n * sizeof(Real));
    cudaMalloc(&y, n * sizeof(Real));
    cudaMalloc(&count, n * sizeof(Integer));
    cudaMemset(x, 0, n * sizeof(Real));
    cudaMemset(y, 0, n * sizeof(Real));
    cudaMemset(count, 0, n * sizeof(Integer));
    bench_begin();
    for (int round = 0; round < 4; round++)
        axpy<<<n / 256, 256>>>(x, y, count, 0.5, n);
    cudaDeviceSynchronize();
    bench_end();
    bench_work(4.0 * n * 10);
    Integer last;
    cudaMemcpy(&last, count + n - 1, sizeof last, cudaMemcpyDeviceToHost);
    printf("wide %lld\n", (long long)last);
    cudaFree(x);
    cudaFree(y);
    cudaFree(count);
    return 0;
}
