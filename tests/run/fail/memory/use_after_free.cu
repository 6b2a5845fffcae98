// Device memory used after cudaFree, by a kernel.
#include <stdio.h>

__global__ void set(int *p) {
    *p = 1; //~ ERROR use-after-free
}

int main() {
    int *dev, *other;
    cudaMalloc(&dev, sizeof(int));
    cudaFree(dev);
    cudaMalloc(&other, sizeof(int));
    set<<<1, 1>>>(dev);
    cudaDeviceSynchronize();
    cudaFree(other);
    return 0;
}
