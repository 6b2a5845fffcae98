// Signed arithmetic, each operation of which is checked for overflow.
#include <cuda_runtime.h>
#include <stdlib.h>
#include "../bench.h"

__global__ void poly(int *out, int turns)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FRIENDLY
    unsigned x = t % 1000, sum = 0;
    unsigned long long wide = 0;
#else
    int x = t % 1000, sum = 0;
    long long wide = 0;
#endif
    for (int i = 0; i < turns; i++) {
        sum = (sum * 31 + x * i) % 65521;
        wide = wide + (decltype(wide))sum * x;
    }
    out[t] = sum + (int)(wide % 1000);
}

int main()
{
    int n = 1 << 14;
    int *out;
    cudaMalloc(&out, n * sizeof(int));
    bench_begin();
    poly<<<n / 256, 256>>>(out, 64);
    cudaDeviceSynchronize();
    bench_end();
    bench_work(n * 64.0 * 8);
    int last;
    cudaMemcpy(&last, out + n - 1, sizeof last, cudaMemcpyDeviceToHost);
    printf("checked %d\n", last);
    cudaFree(out);
    return 0;
}
