// Barriers under conditions that are the same for all threads of a block: each is fine.
#include <stdio.h>

__global__ void uniform(int *out, int n, const int *limits) {
    __shared__ int box[16];
    int t = threadIdx.x;
    box[t] = t;
    if (n > 3) __syncthreads();                          // a parameter
    if (blockIdx.x == 1) __syncthreads();                // the block's index
    if (blockDim.x > 8 && gridDim.x == 2) __syncthreads(); // the shape
    for (int i = 0; i < limits[blockIdx.x]; ++i) {       // memory that nobody writes, at one place
        __syncthreads();
        box[t] += box[t] / (i + 1);
        __syncthreads();
    }
    switch (n) {
    case 5:
        __syncthreads();
        break;
    default:
        box[t] = 0;
    }
    int k = n;
    do {
        if (__syncthreads_count(t < k) == k) --k;        // the barrier's own result
    } while (k > 2);
    for (int i = 0; i < 4; ++i) {
        if (t % 2) continue;                             // divergence that has ended at the barrier
        box[t] += i;
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] = box[15 - t];
}

int main() {
    int limits[2] = {1, 2}, *dev_limits, *dev, host[32];
    cudaMalloc(&dev_limits, sizeof limits);
    cudaMalloc(&dev, sizeof host);
    cudaMemcpy(dev_limits, limits, sizeof limits, cudaMemcpyHostToDevice);
    uniform<<<2, 16>>>(dev, 5, dev_limits);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) printf("%d%c", host[i], i % 16 == 15 ? '\n' : ' ');
    cudaFree(dev_limits);
    cudaFree(dev);
    return 0;
}
