// A barrier for the whole grid, made by hand of a counter, fences and a volatile spin; each phase reads what
// other blocks wrote in the one before.
#include <stdio.h>

__device__ unsigned arrived = 0;

__device__ void grid_sync(unsigned goal) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&arrived, 1u);
        while (*(volatile unsigned *)&arrived < goal) {
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void rotate(int *a, int *b, int rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    for (int k = 0; k < rounds; ++k) {
        int *from = k % 2 ? b : a, *to = k % 2 ? a : b;
        to[i] = from[(i + 1) % n] + 1;
        grid_sync((k + 1) * gridDim.x);
    }
}

int main() {
    int *a, *b;
    const int n = 4 * 40;
    cudaMallocManaged(&a, n * sizeof(int));
    cudaMallocManaged(&b, n * sizeof(int));
    for (int i = 0; i < n; ++i) a[i] = i;
    rotate<<<4, 40>>>(a, b, 4);
    cudaDeviceSynchronize();
    printf("%d %d\n", a[0], a[n - 1]);
    cudaFree(a);
    cudaFree(b);
    return 0;
}
