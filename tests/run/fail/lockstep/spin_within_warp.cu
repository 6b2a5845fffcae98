// A lock that the lanes of one warp take from each other: each gets it where each makes progress of its own; in
// lockstep the one that has it waits for those that spin, for ever.
// revisions: its lockstep
//[lockstep] flags: --warp-model lockstep
#include <cstdio>

__device__ int lock;

__global__ void count(int *sum) {
    while (atomicCAS(&lock, 0, 1) != 0) { //[lockstep]~ ERROR deadlock
    }
    __threadfence();
    *(volatile int *)sum += 1;
    __threadfence();
    atomicExch(&lock, 0);
}

int main() {
    int *sum, sum_is = 0;
    cudaMalloc(&sum, sizeof(int));
    cudaMemset(sum, 0, sizeof(int));
    count<<<1, 8>>>(sum);
    cudaError_t error = cudaMemcpy(&sum_is, sum, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %s\n", sum_is, cudaGetErrorName(error));
    cudaFree(sum);
    return 0;
}
