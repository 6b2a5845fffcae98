// Each thread reads its neighbour's element: with a barrier between, and without.
// revisions: with without
#include <stdio.h>

__global__ void shift(int *out) {
    __shared__ int box[32];
    int t = threadIdx.x;
    box[t] = t; //[without]~ RELATED shared-race
#ifdef REV_with
    __syncthreads();
#endif
    out[t] = box[(t + 1) % 32]; //[without]~ ERROR shared-race
}

int main() {
    int *dev, host[32];
    cudaMalloc(&dev, sizeof host);
    shift<<<1, 32>>>(dev);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
#ifdef REV_with
    printf("%d %d\n", host[0], host[31]);
#endif
    cudaFree(dev);
    return 0;
}
