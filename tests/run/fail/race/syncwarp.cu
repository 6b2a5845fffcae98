// __syncwarp orders the lanes of a warp, and not two warps.
// revisions: one two none
#include <stdio.h>

#ifdef REV_two
#define THREADS 64
#else
#define THREADS 32
#endif

__global__ void swap(int *out) {
    __shared__ int box[THREADS];
    int t = threadIdx.x;
    box[t] = t; //[two,none]~ RELATED shared-race
#ifndef REV_none
    __syncwarp();
#endif
    out[t] = box[THREADS - 1 - t]; //[two,none]~ ERROR shared-race
}

int main() {
    int *dev, host[THREADS];
    cudaMalloc(&dev, sizeof host);
    swap<<<1, THREADS>>>(dev);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
#ifdef REV_one
    printf("%d %d\n", host[0], host[31]);
#endif
    cudaFree(dev);
    return 0;
}
