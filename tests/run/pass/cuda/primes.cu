// The sum of the primes below 2000, one candidate per thread, 512 threads a block.
#include <stdio.h>
#include <cuda_runtime.h>

#define LIMIT 2000
#define THREADS 512

__device__ bool is_prime(int n) {
    if (n < 2) return false;
    for (int d = 2; d * d <= n; ++d) {
        if (n % d == 0) return false;
    }
    return true;
}

__global__ void sum_primes(int limit, int *partial) {
    __shared__ int cache[THREADS];
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    cache[threadIdx.x] = n < limit && is_prime(n) ? n : 0;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) cache[threadIdx.x] += cache[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
}

int main() {
    const int blocks = (LIMIT + THREADS - 1) / THREADS;
    int *dev, host[blocks], sum = 0;
    cudaMalloc(&dev, sizeof host);
    sum_primes<<<blocks, THREADS>>>(LIMIT, dev);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
    for (int b = 0; b < blocks; ++b) {
        printf("block %d: %d\n", b, host[b]);
        sum += host[b];
    }
    printf("sum of primes below %d = %d\n", LIMIT, sum);
    cudaFree(dev);
    return sum == 277050 ? 0 : 1;
}
