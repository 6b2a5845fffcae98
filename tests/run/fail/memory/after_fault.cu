// What lies behind a fault. By default it ends the launch, later launches do not run, and one note says so. With
// `--after-fault thread` the thread alone ends: the race of the others and the next kernel's fault are found in the
// same run, and no barrier, mask, leak or deadlock that follows from it is told. With `stop` the run ends.
// revisions: launch stop thread
//[stop] flags: --after-fault stop
//[thread] flags: --after-fault thread
#include <stdio.h>

__device__ int x;

__global__ void sum(const int *index, int *total, int n) {
    __shared__ int box[64];
    int t = threadIdx.x;
    int *mine = (int *)malloc(4);  // the threads that end do not give it back
    box[t] = index[t];             //~ ERROR out-of-bounds
    __syncthreads();
    int lower = __shfl_sync(0xffffffffu, box[t], 0);
    total[0] += lower; //[thread]~ ERROR global-race
    free(mine);
}

__global__ void waits(int *flag) {
    if (threadIdx.x == 0) {
        flag[-1] = 1; //[thread]~ ERROR out-of-bounds
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {
        }
    }
}

__global__ void unaligned() {
    *(int *)((char *)&x + 1) = 42; //[thread]~ ERROR misaligned-access
}

int main() {
    int *index, *total;
    cudaMalloc(&index, 24 * sizeof(int));
    cudaMalloc(&total, sizeof(int));
    cudaMemset(index, 0, 24 * sizeof(int));
    cudaMemset(total, 0, sizeof(int));
    sum<<<1, 64>>>(index, total, 24);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(error));
    waits<<<1, 2>>>(total);
    unaligned<<<1, 1>>>();
    error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(error));
    cudaFree(index);
    cudaFree(total);
    return 0;
}
