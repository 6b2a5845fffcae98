// Both branches have a barrier, but not the same one.
#include <stdio.h>

__global__ void apart(int *out) {
    int t = threadIdx.x;
    if (t < 16) {
        out[t] = 1;
        __syncthreads(); //~ ERROR barrier-divergence
    } else {
        out[t] = 2;
        __syncthreads();
    }
}

int main() {
    int *dev;
    cudaMalloc(&dev, 32 * sizeof(int));
    apart<<<1, 32>>>(dev);
    cudaDeviceSynchronize();
    cudaFree(dev);
    return 0;
}
