// cudaPointerGetAttributes of each kind of memory.
#include <stdio.h>
#include <stdlib.h>

static void show(const char *name, const void *p) {
    cudaPointerAttributes a;
    cudaError_t error = cudaPointerGetAttributes(&a, p);
    if (error != cudaSuccess) {
        printf("%s: %s\n", name, cudaGetErrorName(error));
        cudaGetLastError();
        return;
    }
    const char *types[] = {"unregistered", "host", "device", "managed"};
    if (a.type == cudaMemoryTypeUnregistered) a.device = 0;
    printf("%s: %s, device %d, device pointer %s, host pointer %s\n", name, types[a.type], a.device,
           a.devicePointer == p ? "same" : a.devicePointer ? "other" : "none",
           a.hostPointer == p ? "same" : a.hostPointer ? "other" : "none");
}

__device__ int variable[2];

int main() {
    int *device, *pinned, *managed, *plain = (int *)malloc(64), local;
    void *symbol;
    cudaMalloc(&device, 64);
    cudaMallocHost(&pinned, 64);
    cudaMallocManaged(&managed, 64);
    cudaGetSymbolAddress(&symbol, variable);
    show("cudaMalloc", device);
    show("inside", device + 3);
    show("cudaMallocHost", pinned);
    show("cudaMallocManaged", managed);
    show("__device__", symbol);
    show("malloc", plain);
    show("local", &local);
    free(plain);
    cudaFree(device);
    cudaFreeHost(pinned);
    cudaFree(managed);
    return 0;
}
