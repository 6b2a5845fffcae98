// Launches that the device refuses: the error is the launch's, and the kernel does not run.
// revisions: zero threads dimension shared fine
#include <stdio.h>

__global__ void mark(int *out) {
    if (blockIdx.x == 0 && threadIdx.z == 0) *out = 1;
}

int main() {
    int *dev, host = 0;
    cudaMalloc(&dev, sizeof(int));
    cudaMemset(dev, 0, sizeof(int));
#if defined(REV_zero)
    mark<<<0, 32>>>(dev); //[zero]~ ERROR invalid-launch
#elif defined(REV_threads)
    mark<<<1, 1025>>>(dev); //[threads]~ ERROR invalid-launch
#elif defined(REV_dimension)
    mark<<<dim3(1, 70000), 1>>>(dev); //[dimension]~ ERROR invalid-launch
#elif defined(REV_shared)
    mark<<<1, 1, 49153>>>(dev); //[shared]~ ERROR invalid-launch
#else
    mark<<<dim3(70000, 1, 1), dim3(1, 1, 64), 49152>>>(dev);
#endif
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaMemcpy(&host, dev, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", host);
    cudaFree(dev);
    return 0;
}
