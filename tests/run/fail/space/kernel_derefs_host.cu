// A kernel gets a pointer to the host's memory: from malloc, of a local; from cudaMallocHost it is fine.
// revisions: heap local pinned managed
#include <stdio.h>
#include <stdlib.h>

__global__ void add(int *p) {
    *p += 1; //[heap,local]~ ERROR wrong-memory-space
}

int main() {
#if defined(REV_heap)
    int *p = (int *)malloc(sizeof(int));
#elif defined(REV_local)
    int here, *p = &here;
#elif defined(REV_pinned)
    int *p;
    cudaMallocHost(&p, sizeof(int));
#else
    int *p;
    cudaMallocManaged(&p, sizeof(int));
#endif
    *p = 5;
    add<<<1, 1>>>(p);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s %d\n", cudaGetErrorName(error), error ? 0 : *p);
#if defined(REV_heap)
    free(p);
#elif defined(REV_pinned)
    cudaFreeHost(p);
#elif defined(REV_managed)
    cudaFree(p);
#endif
    return 0;
}
