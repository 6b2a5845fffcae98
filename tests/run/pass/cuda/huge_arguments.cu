// Sizes next to the end of the address space are refused or taken, and nothing else.
#include <cstdint>
#include <cstdio>

int main() {
    void* p = nullptr;
    size_t pitch = 0, limit = 0;
    printf("%d", cudaMallocPitch(&p, &pitch, SIZE_MAX, 2));
    printf(" %d", cudaMallocPitch(&p, &pitch, SIZE_MAX - 600, 1));
    cudaPitchedPtr volume;
    printf(" %d\n", cudaMalloc3D(&volume, make_cudaExtent(SIZE_MAX, 2, 2)));
    printf("%d", cudaDeviceSetLimit(cudaLimitStackSize, SIZE_MAX));
    printf(" %d", cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    printf(" %d\n", limit >= SIZE_MAX - 15);
}
