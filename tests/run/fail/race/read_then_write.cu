// A write after another thread's read is a race as much as a read after a write.
#include <stdio.h>

__global__ void rotate(int *data) {
    __shared__ int box[16];
    int t = threadIdx.x;
    box[t] = data[t];
    __syncthreads();
    int next = box[(t + 1) % 16]; //~ ERROR shared-race
    box[t] = next; //~ RELATED shared-race
    __syncthreads();
    data[t] = box[t];
}

int main() {
    int *dev;
    cudaMalloc(&dev, 16 * sizeof(int));
    cudaMemset(dev, 0, 16 * sizeof(int));
    rotate<<<1, 16>>>(dev);
    cudaDeviceSynchronize();
    cudaFree(dev);
    return 0;
}
