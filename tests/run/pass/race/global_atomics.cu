// Atomics of any blocks on one counter, read by the next kernel.
#include <stdio.h>

__device__ unsigned total;

__global__ void count(int *bins, int *most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[i % 3], 1);
    atomicMax(most, i);
    atomicInc(&total, 1000u);
}

__global__ void show(const int *bins, const int *most, int *out) {
    out[threadIdx.x] = bins[threadIdx.x] + *most + (int)total;
}

int main() {
    int *bins, *most, *out;
    cudaMalloc(&bins, 3 * sizeof(int));
    cudaMalloc(&most, sizeof(int));
    cudaMallocManaged(&out, 3 * sizeof(int));
    cudaMemset(bins, 0, 3 * sizeof(int));
    cudaMemset(most, 0, sizeof(int));
    count<<<5, 40>>>(bins, most);
    show<<<1, 3>>>(bins, most, out);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", out[0], out[1], out[2]);
    cudaFree(bins);
    cudaFree(most);
    cudaFree(out);
    return 0;
}
