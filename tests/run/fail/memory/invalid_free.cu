// Frees of what is not the start of a live allocation of that allocator.
// revisions: twice middle host_as_device device_as_host stack fine
#include <stdio.h>
#include <stdlib.h>

int main() {
    int *dev, *host = (int *)malloc(16), local = 0;
    cudaMalloc(&dev, 16);
#if defined(REV_twice)
    free(host);
    free(host); //[twice]~ ERROR invalid-free
    cudaFree(dev);
#elif defined(REV_middle)
    free(host + 1); //[middle]~ ERROR invalid-free
    free(host);
    cudaFree(dev);
#elif defined(REV_host_as_device)
    cudaFree(host); //[host_as_device]~ ERROR invalid-free
    free(host);
    cudaFree(dev);
#elif defined(REV_device_as_host)
    free(host);
    free(dev); //[device_as_host]~ ERROR invalid-free
    cudaFree(dev);
#elif defined(REV_stack)
    free(&local); //[stack]~ ERROR invalid-free
    free(host);
    cudaFree(dev);
#else
    free(host);
    free(NULL);
    cudaFree(dev);
    cudaFree(0);
    printf("%d\n", local);
#endif
    return 0;
}
