// A histogram by shared atomics, an exclusive scan of it, and the scatter that sorts by it.
#include <stdio.h>

#define BINS 16

__global__ void histogram(const unsigned char *data, int n, unsigned *bins) {
    __shared__ unsigned local[BINS];
    if (threadIdx.x < BINS) local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&local[data[i] % BINS], 1);
    __syncthreads();
    if (threadIdx.x < BINS) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

__global__ void scan(unsigned *values) {
    __shared__ unsigned buffer[2][BINS];
    int t = threadIdx.x, from = 0;
    buffer[0][t] = t > 0 ? values[t - 1] : 0;
    __syncthreads();
    for (int d = 1; d < BINS; d *= 2) {
        int to = 1 - from;
        buffer[to][t] = buffer[from][t] + (t >= d ? buffer[from][t - d] : 0);
        from = to;
        __syncthreads();
    }
    values[t] = buffer[from][t];
}

__global__ void scatter(const unsigned char *data, int n, unsigned *next, unsigned char *sorted) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sorted[atomicAdd(&next[data[i] % BINS], 1)] = data[i];
}

int main() {
    const int n = 1000;
    unsigned char host[n], *data, *sorted;
    unsigned bins[BINS], *dev;
    for (int i = 0; i < n; ++i) host[i] = (unsigned char)(i * i + 3 * i);
    cudaMalloc(&data, n);
    cudaMalloc(&sorted, n);
    cudaMalloc(&dev, sizeof bins);
    cudaMemcpy(data, host, n, cudaMemcpyHostToDevice);
    cudaMemset(dev, 0, sizeof bins);
    histogram<<<4, 64>>>(data, n, dev);
    cudaMemcpy(bins, dev, sizeof bins, cudaMemcpyDeviceToHost);
    for (int i = 0; i < BINS; ++i) printf("%u ", bins[i]);
    scan<<<1, BINS>>>(dev);
    cudaMemcpy(bins, dev, sizeof bins, cudaMemcpyDeviceToHost);
    printf("\n");
    for (int i = 0; i < BINS; ++i) printf("%u ", bins[i]);
    scatter<<<8, 128>>>(data, n, dev, sorted);
    cudaMemcpy(host, sorted, n, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 1; i < n; ++i) wrong += host[i - 1] % BINS > host[i] % BINS;
    printf("\n%d out of order\n", wrong);
    cudaFree(data);
    cudaFree(sorted);
    cudaFree(dev);
    return 0;
}
