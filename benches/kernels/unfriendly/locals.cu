// A local array that each thread indexes in its own way: an insertion sort.
#include <cuda_runtime.h>
#include <stdlib.h>
#include "../bench.h"

#define KEYS 16

__global__ void sort(int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int key[KEYS];
    unsigned seed = t * 2654435761u + 1;
    for (int i = 0; i < KEYS; i++) {
#ifdef FRIENDLY
        // In the opposite order in each thread, so that all take the same steps, and most of them.
        key[i] = (KEYS - i) * 50 + t % 50;
#else
        seed = seed * 1664525u + 1013904223u;
        key[i] = seed >> 20;
#endif
    }
    for (int i = 1; i < KEYS; i++) {
        int k = key[i], j = i;
        while (j > 0 && key[j - 1] > k) {
            key[j] = key[j - 1];
            j--;
        }
        key[j] = k;
    }
#ifdef FRIENDLY
    out[t] = key[seed % KEYS];
#else
    out[t] = key[t % KEYS];
#endif
}

int main()
{
    int n = 1 << 13;
    int *out;
    cudaMalloc(&out, n * sizeof(int));
    bench_begin();
    sort<<<n / 256, 256>>>(out);
    cudaDeviceSynchronize();
    bench_end();
#ifdef FRIENDLY
    bench_work(n * (KEYS * 3.0 + KEYS * KEYS / 2 * 6.0));
#else
    bench_work(n * (KEYS * 3.0 + KEYS * KEYS / 4 * 6.0));
#endif
    int last;
    cudaMemcpy(&last, out + n - 1, sizeof last, cudaMemcpyDeviceToHost);
    printf("locals %d\n", last);
    cudaFree(out);
    return 0;
}
