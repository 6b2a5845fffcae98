// The race is between two places in a function that the kernel calls.
#include <stdio.h>

__shared__ int box[16];

__device__ void put(int i, int v) {
    box[i] = v; //~ RELATED shared-race
}

__device__ int get(int i) {
    return box[i]; //~ ERROR shared-race
}

__global__ void kernel(int *out) {
    put(threadIdx.x, threadIdx.x);
    out[threadIdx.x] = get(15 - threadIdx.x);
}

int main() {
    int *dev;
    cudaMalloc(&dev, 16 * sizeof(int));
    kernel<<<1, 16>>>(dev);
    cudaDeviceSynchronize();
    cudaFree(dev);
    return 0;
}
