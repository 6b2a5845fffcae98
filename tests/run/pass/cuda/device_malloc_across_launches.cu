// Memory of the device's heap lives until it is freed on the device, over kernels.
#include <stdio.h>

#define BLOCKS 3
__device__ int *stored[BLOCKS];

__global__ void take() {
    if (threadIdx.x == 0) stored[blockIdx.x] = (int *)malloc(blockDim.x * sizeof(int));
    __syncthreads();
    if (stored[blockIdx.x]) stored[blockIdx.x][threadIdx.x] = 0;
}

__global__ void use() {
    int *data = stored[blockIdx.x];
    if (data) data[threadIdx.x] += threadIdx.x;
}

__global__ void give_back(int *out) {
    int *data = stored[blockIdx.x];
    if (data) out[blockIdx.x * blockDim.x + threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) free(data);
}

int main() {
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 23);
    int *dev, host[BLOCKS * 4];
    cudaMalloc(&dev, sizeof host);
    take<<<BLOCKS, 4>>>();
    use<<<BLOCKS, 4>>>();
    use<<<BLOCKS, 4>>>();
    use<<<BLOCKS, 4>>>();
    give_back<<<BLOCKS, 4>>>(dev);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < BLOCKS * 4; ++i) printf("%d%c", host[i], i % 4 == 3 ? '\n' : ' ');
    cudaFree(dev);
    return 0;
}
