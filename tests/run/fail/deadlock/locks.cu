// Locks that never open: taken twice by one thread, by two threads in opposite orders, never opened by who left; in one order they are fine.
// revisions: twice abba left fine
#include <stdio.h>

__device__ int a, b, met, count;

__device__ void lock(int *l) {
    while (atomicCAS(l, 0, 1) != 0) { //[twice]~ ERROR deadlock
    } //[abba]~^ ERROR deadlock
    //[left]~^^ ERROR deadlock
    __threadfence();
}

__device__ void unlock(int *l) {
    __threadfence();
    atomicExch(l, 0);
}

__global__ void kernel() {
#if defined(REV_twice)
    if (threadIdx.x == 0) {
        lock(&a);
        lock(&a);
    }
#elif defined(REV_abba)
    int *mine = threadIdx.x == 0 ? &a : &b, *other = threadIdx.x == 0 ? &b : &a;
    lock(mine);
    atomicAdd(&met, 1);
    while (atomicAdd(&met, 0) < 2) {
    }
    lock(other);
    unlock(other);
    unlock(mine);
#elif defined(REV_left)
    lock(&a);
    if (threadIdx.x == 0) return;
    unlock(&a);
#else
    lock(&a);
    lock(&b);
    count++;
    unlock(&b);
    unlock(&a);
#endif
}

int main() {
    int host = 0;
#if defined(REV_abba)
    kernel<<<1, 2>>>();
#else
    kernel<<<2, 40>>>();
#endif
    if (cudaDeviceSynchronize() == cudaSuccess) {
        cudaMemcpyFromSymbol(&host, count, sizeof(int));
        printf("%d\n", host);
    }
    return 0;
}
