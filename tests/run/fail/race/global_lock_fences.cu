// A lock of atomics alone keeps others out but does not show them what was written under it.
// revisions: fences none unlock_plain
#include <stdio.h>

__device__ int lock = 0;

__global__ void count(int *counter) {
    while (atomicCAS(&lock, 0, 1) != 0) { //[unlock_plain]~ RELATED global-race
    }
#ifndef REV_none
    __threadfence();
#endif
    *counter += 1; //[none]~ ERROR global-race: nothing orders
    //[unlock_plain]~^ ERROR global-race
#ifndef REV_none
    __threadfence();
#endif
#ifdef REV_unlock_plain
    lock = 0;
    //[unlock_plain]~^ ERROR global-race
    //[unlock_plain]~^^ WARNING global-race
#else
    atomicExch(&lock, 0);
#endif
}

int main() {
    int *counter;
    cudaMallocManaged(&counter, sizeof(int));
    *counter = 0;
    count<<<5, 1>>>(counter);
    cudaDeviceSynchronize();
    printf("%d\n", *counter);
    cudaFree(counter);
    return 0;
}
