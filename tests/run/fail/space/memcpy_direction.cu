// A copy whose direction is not that of its pointers. cudaMemcpyDefault finds the direction itself.
// revisions: wrong inferred
#include <stdio.h>

int main() {
    int *dev, host = 7;
    cudaMalloc(&dev, sizeof(int));
#ifdef REV_wrong
    cudaError_t error = cudaMemcpy(&host, &dev, sizeof(int), cudaMemcpyDeviceToDevice); //[wrong]~ ERROR api-error
#else
    cudaError_t error = cudaMemcpy(dev, &host, sizeof(int), cudaMemcpyDefault);
    host = 0;
    cudaMemcpy(&host, dev, sizeof(int), cudaMemcpyDefault);
#endif
    printf("%s %d\n", cudaGetErrorName(error), host);
    cudaFree(dev);
    return 0;
}
