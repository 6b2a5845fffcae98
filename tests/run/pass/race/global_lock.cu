// A lock made of atomics and fences protects a plain counter.
#include <stdio.h>

__device__ int lock = 0;

__global__ void count(int *counter) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        __threadfence();
        *counter += 1;
        __threadfence();
        atomicExch(&lock, 0);
    }
}

int main() {
    int *counter;
    cudaMallocManaged(&counter, sizeof(int));
    *counter = 0;
    count<<<6, 32>>>(counter);
    cudaDeviceSynchronize();
    printf("%d\n", *counter);
    cudaFree(counter);
    return 0;
}
