// A word that one thread writes overlaps a byte that another reads.
#include <stdio.h>

__global__ void overlap(int *out) {
    __shared__ __align__(4) unsigned char bytes[8];
    for (int i = 0; i < 4; i++) bytes[4 * threadIdx.x + i] = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        *(unsigned *)bytes = 0x01020304u; //~ RELATED shared-race
        bytes[7] = 9;
    }
    if (threadIdx.x == 1) {
        *out = bytes[3]; //~ ERROR shared-race
    }
}

int main() {
    int *dev;
    cudaMalloc(&dev, sizeof(int));
    overlap<<<1, 2>>>(dev);
    cudaDeviceSynchronize();
    cudaFree(dev);
    return 0;
}
