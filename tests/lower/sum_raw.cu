// The kernel of examples/sum.cu as the frontend lowers it, before any pass.
// flags: --passes none --function sum
#include <cuda.h>

__global__ void sum(const int *numbers, int *sums) {
    extern __shared__ int parts[];
    const int t = threadIdx.x;
    const int half = blockDim.x / 2;
    parts[t] = numbers[blockIdx.x * blockDim.x + t];
    __syncthreads();
    if (t < half) parts[t] += parts[half + t];
    __syncthreads();
    if (t == 0) sums[blockIdx.x] = parts[0];
}

int main() { return 0; }
