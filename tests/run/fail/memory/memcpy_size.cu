// A copy to the device that is longer than the allocation.
#include <stdio.h>

int main() {
    int host[8] = {0}, *dev;
    cudaMalloc(&dev, 4 * sizeof(int));
    cudaMemcpy(dev, host, sizeof host, cudaMemcpyHostToDevice); //~ ERROR out-of-bounds
    cudaFree(dev);
    return 0;
}
