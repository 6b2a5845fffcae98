// A static device variable: the kernel may read it, the host may not, except through the runtime.
#include <stdio.h>

static __device__ int answer = 42;

__global__ void read(int *out) { *out = answer; }

int main() {
    int *dev, host = 0;
    cudaMalloc(&dev, sizeof(int));
    read<<<1, 1>>>(dev);
    cudaMemcpy(&host, dev, sizeof(int), cudaMemcpyDeviceToHost);
    printf("kernel: %d\n", host);
    cudaMemcpyFromSymbol(&host, answer, sizeof(int));
    printf("symbol: %d\n", host);
    fflush(stdout);
    host = answer; //~ ERROR wrong-memory-space
    cudaFree(dev);
    return 0;
}
