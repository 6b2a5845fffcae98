#include <stdio.h>

// Each block adds up its part; the block that is done last adds up the parts.
__global__ void sum(const int *in, int *parts, int *total, unsigned *done) {
    __shared__ int part;
    if (threadIdx.x == 0)
        part = 0;
    __syncthreads();
    atomicAdd(&part, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = part;
        __threadfence(); // The part comes before the count.
        if (atomicAdd(done, 1) == gridDim.x - 1) {
            __threadfence(); // The parts come after it.
            int sum = 0;
            for (int b = 0; b < gridDim.x; b++)
                sum += parts[b];
            *total = sum;
        }
    }
}

int main() {
    const int blocks = 4, threads = 64, n = blocks * threads;
    int host[n], *in, *parts, *total, result;
    unsigned *done;
    for (int i = 0; i < n; i++)
        host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&parts, blocks * sizeof(int));
    cudaMalloc(&total, sizeof(int));
    cudaMalloc(&done, sizeof(unsigned));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(done, 0, sizeof(unsigned));
    sum<<<blocks, threads>>>(in, parts, total, done);
    cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result);
    cudaFree(in);
    cudaFree(parts);
    cudaFree(total);
    cudaFree(done);
}
