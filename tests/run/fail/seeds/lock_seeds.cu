// Locks that hold in the default order of threads, one after the other, and not in others: a launch with a lock runs
// under a few seeds, too. What is printed is the default order's.
// revisions: acquire release good off
//[off] flags: --seed 0
#include <stdio.h>

__device__ int lock = 0;

__device__ void enter() {
    while (atomicCAS(&lock, 0, 1) != 0) { //[release]~ RELATED global-race
    }
    __threadfence();
}

__global__ void k(int *data) {
    if (blockIdx.x == 0) {
#if defined(REV_acquire) || defined(REV_off)
        // In the default order this block comes first, and needs no fence.
        while (atomicCAS(&lock, 0, 1) != 0) { //[acquire]~ RELATED global-race
        }
#else
        enter();
#endif
        data[0] = 1; //[acquire]~ RELATED global-race
        //[release]~^ RELATED global-race
#ifndef REV_release
        __threadfence();
#endif
        atomicExch(&lock, 0); //[release]~ RELATED global-race
    } else {
        enter();
        data[0] = 2; //[acquire]~ WARNING global-race
        //[release]~^ ERROR global-race
        __threadfence();
        atomicExch(&lock, 0); //[acquire]~ RELATED global-race
    }
}

int main() {
    int *data, out;
    cudaMalloc(&data, sizeof(int));
    cudaMemset(data, 0, sizeof(int));
    k<<<2, 1>>>(data);
    cudaMemcpy(&out, data, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", out);
    cudaFree(data);
    return 0;
}
