// The host changes a page-locked buffer that a copy is still to read, or reads one that it is still to write.
// revisions: right source library destination
#include <stdio.h>
#include <string.h>

int main() {
    char *pinned, *device;
    cudaMallocHost(&pinned, 64);
    cudaMalloc(&device, 64);
    memset(pinned, 1, 64);
    cudaMemcpyAsync(device, pinned, 32, cudaMemcpyHostToDevice);
    //[source]~^ RELATED global-race
    //[library]~^^ RELATED global-race
    pinned[32] = 2;
#ifdef REV_source
    pinned[31] = 2; //[source]~ ERROR global-race: the host writes 1 byte of `pinned` that `cudaMemcpyAsync` in the default stream reads
#endif
#ifdef REV_library
    memset(pinned, 3, 64); //[library]~ ERROR global-race: the host writes 32 bytes
#endif
    cudaDeviceSynchronize();
    cudaMemcpyAsync(pinned, device, 32, cudaMemcpyDeviceToHost); //[destination]~ RELATED global-race
#ifndef REV_destination
    cudaDeviceSynchronize();
#endif
    printf("%d\n", pinned[0]); //[destination]~ ERROR global-race: the host reads 1 byte
    cudaFreeHost(pinned);
    cudaFree(device);
    return 0;
}
