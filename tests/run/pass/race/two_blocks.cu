// Shared memory belongs to a block: two blocks that use the same variable do not meet.
#include <stdio.h>

__global__ void own(int *out) {
    __shared__ int value;
    if (threadIdx.x == blockIdx.x) value = blockIdx.x + 1;
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = value;
}

int main() {
    int *dev, host[2];
    cudaMalloc(&dev, sizeof host);
    own<<<2, 2>>>(dev);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[0], host[1]);
    cudaFree(dev);
    return 0;
}
