// The host dereferences what cudaMalloc gave.
#include <stdio.h>

int main() {
    int *dev;
    cudaMalloc(&dev, 4 * sizeof(int));
    cudaMemset(dev, 0, 4 * sizeof(int));
    printf("before\n");
    fflush(stdout);
    int value = dev[2]; //~ ERROR wrong-memory-space
    cudaFree(dev);
    return value;
}
