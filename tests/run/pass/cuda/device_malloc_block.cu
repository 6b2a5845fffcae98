// One thread takes memory for its whole block; all use it; one gives it back.
#include <stdio.h>

__global__ void per_block(int *out) {
    __shared__ int *data;
    if (threadIdx.x == 0) data = (int *)malloc(blockDim.x * sizeof(int));
    __syncthreads();
    if (data == NULL) return;
    data[threadIdx.x] = threadIdx.x * (blockIdx.x + 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < blockDim.x; ++i) sum += data[i];
        out[blockIdx.x] = sum;
        free(data);
    }
}

int main() {
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 23);
    int *dev, host[4];
    cudaMalloc(&dev, sizeof host);
    per_block<<<4, 64>>>(dev);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", host[0], host[1], host[2], host[3]);
    cudaFree(dev);
    return 0;
}
