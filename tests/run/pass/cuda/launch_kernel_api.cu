// cudaLaunchKernel, occupancy, function attributes.
#include <stdio.h>

__global__ void scale(int *data, int factor) { data[threadIdx.x] *= factor + blockDim.x; }

int main() {
    int host[4] = {1, 2, 3, 4}, *dev, factor = 3;
    cudaMalloc(&dev, sizeof host);
    cudaMemcpy(dev, host, sizeof host, cudaMemcpyHostToDevice);
    void *arguments[] = {&dev, &factor};
    printf("%s\n", cudaGetErrorName(cudaLaunchKernel((const void *)scale, dim3(1), dim3(4), arguments, 0, 0)));
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[0], host[3]);
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, scale);
    printf("%d %zu\n", attributes.maxThreadsPerBlock, attributes.sharedSizeBytes);
    int grid = 0, block = 0;
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, scale, 0, 0);
    printf("%d %d\n", grid > 0, block > 0 && block % 32 == 0);
    cudaFree(dev);
    return 0;
}
