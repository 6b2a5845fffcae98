// The four block barriers and their results.
#include <stdio.h>

__global__ void plain(int *out) {
    __shared__ int box[8];
    box[threadIdx.x] = threadIdx.x * 10;
    __syncthreads();
    out[threadIdx.x] = box[7 - threadIdx.x];
}

__global__ void reductions(int *out) {
    int t = threadIdx.x;
    int count = __syncthreads_count(t % 3 == 0);
    int all = __syncthreads_and(t < 8);
    int not_all = __syncthreads_and(t < 7);
    int any = __syncthreads_or(t == 5);
    int none = __syncthreads_or(t == 8);
    int *mine = out + t * 5;
    mine[0] = count;
    mine[1] = all != 0;
    mine[2] = not_all != 0;
    mine[3] = any != 0;
    mine[4] = none != 0;
}

// A reduction is a barrier too: what was written before it is seen after it.
__global__ void also_orders(int *out) {
    __shared__ int box[64];
    box[threadIdx.x] = threadIdx.x;
    int many = __syncthreads_count(1);
    int first = box[63 - threadIdx.x];
    __syncthreads_or(0);
    box[threadIdx.x] = first + many;
    __syncthreads_and(1);
    out[threadIdx.x] = box[63 - threadIdx.x];
}

int main() {
    int *dev, host[64];
    cudaMalloc(&dev, sizeof host);
    plain<<<1, 8>>>(dev);
    cudaMemcpy(host, dev, 8 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; ++i) printf("%d ", host[i]);
    printf("\n");
    reductions<<<1, 8>>>(dev);
    cudaMemcpy(host, dev, 40 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int t = 0; t < 8; t += 7) {
        for (int i = 0; i < 5; ++i) printf("%d ", host[t * 5 + i]);
    }
    printf("\n");
    also_orders<<<1, 64>>>(dev);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", host[0], host[31], host[63]);
    cudaFree(dev);
    return 0;
}
