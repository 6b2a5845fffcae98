// Only where blocks want the lock at the same time, under the seeds that a launch with a lock runs under, too, is
// memory freed, and more than a launch may keep that may be taken back. These runs keep all of it.
#include <stdio.h>

__device__ int lock, count;

__global__ void k() {
    while (atomicCAS(&lock, 0, 1) != 0) {
        char *p = (char *)malloc(300u << 20);
        if (p) {
            p[0] = 1;
            free(p);
        }
    }
    __threadfence();
    atomicAdd(&count, 1);
    __threadfence();
    atomicExch(&lock, 0);
}

int main() {
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1u << 30);
    k<<<4, 1>>>();
    int n;
    cudaMemcpyFromSymbol(&n, count, sizeof n);
    printf("%d\n", n);
    return 0;
}
