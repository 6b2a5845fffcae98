// The last block to take a ticket adds up what the others left, behind a fence.
#include <stdio.h>

__device__ unsigned tickets = 0;

__global__ void sum(const int *in, volatile int *parts, int *out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        int part = 0;
        for (unsigned k = 0; k < blockDim.x; ++k) part += in[blockIdx.x * blockDim.x + k];
        parts[blockIdx.x] = part;
        __threadfence();
        last = atomicInc(&tickets, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int all = 0;
        for (unsigned b = 0; b < gridDim.x; ++b) all += parts[b];
        *out = all;
        tickets = 0;
    }
}

__global__ void plain(const int *in, int *parts, int *out) {
    __shared__ bool last;
    parts[blockIdx.x * blockDim.x + threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&tickets, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last && threadIdx.x == 0) {
        __threadfence();
        int all = 0;
        for (unsigned k = 0; k < gridDim.x * blockDim.x; ++k) all += parts[k];
        *out += all;
        tickets = 0;
    }
}

int main() {
    int *in, *parts, *out;
    cudaMallocManaged(&in, 256 * sizeof(int));
    cudaMalloc(&parts, 256 * sizeof(int));
    cudaMallocManaged(&out, sizeof(int));
    for (int i = 0; i < 256; ++i) in[i] = i;
    sum<<<4, 64>>>(in, parts, out);
    plain<<<4, 64>>>(in, parts, out);
    cudaDeviceSynchronize();
    printf("%d\n", *out);
    cudaFree(in);
    cudaFree(parts);
    cudaFree(out);
    return 0;
}
