// A local array of a kernel, indexed by data.
#include <stdio.h>

__global__ void pick(const int *index, int *out) {
    int box[4] = {1, 2, 3, 4};
    int i = index[threadIdx.x];
    out[threadIdx.x] = box[i]; //~ ERROR out-of-bounds
}

int main() {
    int index[2] = {3, 4}, *dev_index, *dev;
    cudaMalloc(&dev_index, sizeof index);
    cudaMalloc(&dev, sizeof index);
    cudaMemcpy(dev_index, index, sizeof index, cudaMemcpyHostToDevice);
    pick<<<1, 2>>>(dev_index, dev);
    cudaDeviceSynchronize();
    cudaFree(dev_index);
    cudaFree(dev);
    return 0;
}
