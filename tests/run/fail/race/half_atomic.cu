// An atomic on a half races with a plain store to it, as any other does; atomics of one format do not race.
// revisions: plain barrier
#include <cuda_fp16.h>

__global__ void count(half* total) {
#ifdef REV_plain
    if (threadIdx.x == 0)
        *total = half(0); //[plain]~ ERROR global-race
    atomicAdd(total, half(1)); //[plain]~ RELATED global-race
#else
    if (threadIdx.x == 0)
        *total = half(0);
    __syncthreads();
    atomicAdd(total, half(1));
#endif
}

int main() {
    half* total;
    cudaMalloc(&total, sizeof(half));
    cudaMemset(total, 0, sizeof(half));
    count<<<1, 64>>>(total);
    cudaDeviceSynchronize();
    cudaFree(total);
    return 0;
}
