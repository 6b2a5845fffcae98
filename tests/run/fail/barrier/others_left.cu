// Threads that do not come to the barrier leave the kernel: a warning, and the rest goes on.
#include <stdio.h>

__global__ void some(int *out) {
    __shared__ int box[8];
    int t = threadIdx.x;
    if (t % 2 == 0) {
        box[t] = t;
        __syncthreads(); //~ WARNING barrier-divergence
        out[t / 2] = box[6 - t];
    }
}

int main() {
    int *dev, host[4];
    cudaMalloc(&dev, sizeof host);
    some<<<1, 8>>>(dev);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", host[0], host[1], host[2], host[3]);
    cudaFree(dev);
    return 0;
}
