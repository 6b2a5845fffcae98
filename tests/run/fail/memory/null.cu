// Null pointers: on the host, next to null, and in a kernel.
// revisions: host member kernel fine
#include <stdio.h>

struct Pair { int a, b; };

__global__ void read(const int *p, int *out) {
    *out = p ? p[0] : -1;
#ifdef REV_kernel
    *out = p[1]; //[kernel]~ ERROR null-dereference
#endif
}

int main(int argc, char **) {
    Pair *pair = argc > 1 ? new Pair : nullptr;
    int *dev, host = 0;
#if defined(REV_host)
    int *p = (int *)pair;
    *p = 1; //[host]~ ERROR null-dereference
#elif defined(REV_member)
    pair->b = 1; //[member]~ ERROR null-dereference
#endif
    cudaMalloc(&dev, sizeof(int));
    read<<<1, 1>>>((const int *)pair, dev);
    cudaError_t error = cudaDeviceSynchronize();
#ifdef REV_fine
    cudaMemcpy(&host, dev, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%s %d\n", cudaGetErrorName(error), host);
#else
    (void)error;
    (void)host;
#endif
    cudaFree(dev);
    return 0;
}
