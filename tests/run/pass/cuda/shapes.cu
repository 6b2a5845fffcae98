// Grids and blocks of three dimensions: indices, the order of threads, early threads that leave.
#include <stdio.h>

__global__ void number(int *out, int limit) {
    int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int i = block * blockDim.x * blockDim.y * blockDim.z + thread;
    if (i >= limit) return;
    out[i] = 1000000 * blockIdx.z + 100000 * blockIdx.y + 10000 * blockIdx.x + 100 * threadIdx.z +
             10 * threadIdx.y + threadIdx.x;
}

__global__ void whole(uint3 *out) {
    uint3 t = threadIdx;
    dim3 b = blockDim;
    out[t.x + b.x * t.y] = make_uint3(blockIdx.x, b.z, gridDim.y);
}

__global__ void warps(int *out) { out[threadIdx.x] = threadIdx.x / warpSize * 100 + threadIdx.x % warpSize; }

int main() {
    int *dev, host[144];
    uint3 *dev3, host3[6];
    cudaMalloc(&dev, sizeof host);
    cudaMemset(dev, 0xff, sizeof host);
    dim3 grid(2, 3, 1), block(4, 3, 2);
    number<<<grid, block>>>(dev, 140);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d %d\n", host[0], host[23], host[24], host[139], host[140]);
    cudaMalloc(&dev3, sizeof host3);
    whole<<<dim3(1, 1), dim3(3, 2)>>>(dev3);
    cudaMemcpy(host3, dev3, sizeof host3, cudaMemcpyDeviceToHost);
    printf("%u %u %u\n", host3[5].x, host3[5].y, host3[5].z);
    warps<<<1, 70>>>(dev);
    cudaMemcpy(host, dev, 70 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", host[31], host[32], host[69]);
    dim3 one, two(7), made = {1, 2, 3};
    printf("%d %d %d %d\n", one.x * one.y * one.z, two.x, two.z, made.y);
    cudaFree(dev);
    cudaFree(dev3);
    return 0;
}
