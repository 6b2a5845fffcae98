// The device's memory is what `--memory-limit` leaves, where that is less than the profile's: `cudaMemGetInfo`, the
// properties and `cudaMalloc` agree, and what goes beyond fails as on a device that is full.
// flags: --memory-limit 64M
#include <stdio.h>

int main() {
    size_t free_bytes, total;
    cudaMemGetInfo(&free_bytes, &total);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    printf("%zu %d %d\n", total, properties.totalGlobalMem == total, free_bytes < total);
    void *p = NULL;
    cudaError_t error = cudaMalloc(&p, free_bytes + 1);
    printf("%s\n", cudaGetErrorName(error));
    // The largest power of two that there is room for.
    int log = 40;
    while (cudaMalloc(&p, (size_t)1 << log) != cudaSuccess) log--;
    printf("%d\n", log);
    cudaMemGetInfo(&free_bytes, &total);
    void *rest;
    // The host needs a little, too.
    error = cudaMalloc(&rest, free_bytes - (1 << 20));
    size_t left;
    cudaMemGetInfo(&left, &total);
    printf("%s %d\n", cudaGetErrorName(error), left < (1 << 20));
    cudaFree(p);
    cudaFree(rest);
    return 0;
}
