// The barrier is in a function that only some threads call.
#include <stdio.h>

__device__ void wait_for_all() {
    __syncthreads(); //~ ERROR barrier-divergence
}

__global__ void some(int *out) {
    if (threadIdx.x % 2 == 0) wait_for_all();
    __syncthreads();
    out[threadIdx.x] = 1;
}

int main() {
    int *dev;
    cudaMalloc(&dev, 8 * sizeof(int));
    some<<<1, 8>>>(dev);
    cudaDeviceSynchronize();
    cudaFree(dev);
    return 0;
}
