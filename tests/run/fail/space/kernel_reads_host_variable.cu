// A pointer to a host global, handed to a kernel.
#include <stdio.h>

int plain = 3;

__global__ void read(const int *p, int *out) {
    *out = *p; //~ ERROR wrong-memory-space
}

int main() {
    int *dev;
    cudaMalloc(&dev, sizeof(int));
    read<<<1, 1>>>(&plain, dev);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(dev);
    return 0;
}
