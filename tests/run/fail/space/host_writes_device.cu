// The host writes to what cudaMalloc gave.
#include <stdio.h>

int main() {
    int *dev;
    cudaMalloc(&dev, 4 * sizeof(int));
    dev[0] = 1; //~ ERROR wrong-memory-space
    cudaFree(dev);
    return 0;
}
