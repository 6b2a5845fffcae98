// __trap ends the kernel with an error.
#include <stdio.h>

__global__ void stop(int *out) {
    *out = 1;
    if (threadIdx.x == 0) __trap(); //~ ERROR assertion-failed
}

int main() {
    int *dev;
    cudaMalloc(&dev, sizeof(int));
    stop<<<1, 1>>>(dev);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(dev);
    return 0;
}
