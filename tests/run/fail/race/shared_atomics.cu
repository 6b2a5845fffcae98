// Atomics on one place do not race with each other; with a plain access they do.
// revisions: atomic plain
#include <stdio.h>

__global__ void count(int *out) {
    __shared__ int n;
    if (threadIdx.x == 0) n = 0;
    __syncthreads();
#ifdef REV_atomic
    atomicAdd(&n, 1);
#else
    if (threadIdx.x % 2) atomicAdd(&n, 1); //[plain]~ RELATED shared-race
    else if (threadIdx.x == 40) n = 7; //[plain]~ ERROR shared-race
#endif
    __syncthreads();
    if (threadIdx.x == 0) *out = n;
}

int main() {
    int *dev, host;
    cudaMalloc(&dev, sizeof host);
    count<<<1, 64>>>(dev);
    cudaMemcpy(&host, dev, sizeof host, cudaMemcpyDeviceToHost);
#ifdef REV_atomic
    printf("%d\n", host);
#endif
    cudaFree(dev);
    return 0;
}
