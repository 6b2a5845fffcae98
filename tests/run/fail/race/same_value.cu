// All threads write: one value (a warning), or each its own (an error).
// revisions: same different
#include <stdio.h>

__global__ void flag(int *out) {
    __shared__ int seen;
#ifdef REV_same
    seen = 1; //[same]~ WARNING shared-race
#else
    seen = threadIdx.x; //[different]~ ERROR shared-race
#endif
    __syncthreads();
    if (threadIdx.x == 0) *out = seen >= 0;
}

int main() {
    int *dev, host;
    cudaMalloc(&dev, sizeof host);
    flag<<<1, 48>>>(dev);
    cudaMemcpy(&host, dev, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host);
    cudaFree(dev);
    return 0;
}
