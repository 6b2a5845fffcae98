// A ticket lock between blocks, and an initialisation that the first to come does and the others wait for.
#include <stdio.h>

struct Box {
    int ready;
    int values[5];
};

__device__ unsigned next, serving;
__device__ Box box;
__device__ int claimed;

__global__ void work(int *total) {
    if (threadIdx.x != 0) return;
    volatile int *ready = &box.ready;
    if (!*ready) {
        if (atomicCAS(&claimed, 0, 1) == 0) {
            for (int k = 0; k < 5; ++k) box.values[k] = k + 1;
            __threadfence();
            *ready = 1;
        } else {
            while (!*ready) {
            }
        }
    }
    __threadfence();
    const unsigned mine = atomicAdd(&next, 1u);
    while (atomicAdd(&serving, 0u) != mine) {
    }
    __threadfence();
    *total += box.values[blockIdx.x % 5];
    __threadfence();
    atomicAdd(&serving, 1u);
}

int main() {
    int *total;
    cudaMallocManaged(&total, sizeof(int));
    *total = 0;
    work<<<10, 32>>>(total);
    cudaDeviceSynchronize();
    printf("%d\n", *total);
    cudaFree(total);
    return 0;
}
