// cudaFree twice: the second is an error of the call as well.
#include <stdio.h>

int main() {
    int *dev;
    cudaMalloc(&dev, 16);
    printf("%s\n", cudaGetErrorName(cudaFree(dev)));
    cudaError_t again = cudaFree(dev); //~ ERROR invalid-free
    printf("%s\n", cudaGetErrorName(again));
    return 0;
}
