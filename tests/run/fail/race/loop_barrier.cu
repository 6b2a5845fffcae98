// A reduction whose barrier is after the loop instead of in it; the near miss has it in the loop.
// revisions: inside after
#include <stdio.h>

__global__ void reduce(int *out) {
    __shared__ int box[64];
    int t = threadIdx.x;
    box[t] = t;
    __syncthreads();
    for (int stride = 32; stride > 0; stride >>= 1) {
        if (t < stride) box[t] += box[t + stride]; //[after]~ ERROR shared-race
#ifdef REV_inside
        __syncthreads();
#endif
    }
    __syncthreads();
    if (t == 0) *out = box[0];
}

int main() {
    int *dev, host;
    cudaMalloc(&dev, sizeof host);
    reduce<<<1, 64>>>(dev);
    cudaMemcpy(&host, dev, sizeof host, cudaMemcpyDeviceToHost);
#ifdef REV_inside
    printf("%d\n", host);
#endif
    cudaFree(dev);
    return 0;
}
