// Shared memory starts out without values.
#include <stdio.h>

__global__ void count(int *out) {
    __shared__ int n;
    if (threadIdx.x == 0) n += 1; //~ ERROR uninitialized-read
    __syncthreads();
    *out = n;
}

int main() {
    int *dev;
    cudaMalloc(&dev, sizeof(int));
    count<<<1, 1>>>(dev);
    cudaDeviceSynchronize();
    cudaFree(dev);
    return 0;
}
