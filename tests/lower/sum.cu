// The whole of examples/sum.cu, after the default passes.
#include <stdio.h>
#include <cuda.h>

const int COUNT = 18;
const int BLOCKS = 2;
const int THREADS = COUNT / BLOCKS;

__global__ void sum(const int *numbers, int *sums) {
    extern __shared__ int parts[];
    const int t = threadIdx.x;
    const int half = blockDim.x / 2;
    const int left = half + blockDim.x % 2;

    parts[t] = numbers[blockIdx.x * blockDim.x + t];
    __syncthreads();

    if (t < half) {
        parts[t] += parts[half + t];
    }
    __syncthreads();

    if (t == 0) {
        int total = parts[0];
        for (int i = 1; i < left; ++i) {
            total += parts[i];
        }
        sums[blockIdx.x] = total;
    }
}

int main() {
    int numbers[COUNT];
    int result;
    int *dev_numbers;
    int *dev_sums;

    printf("INPUT: ");
    for (int i = 0; i < COUNT; ++i) {
        numbers[i] = (21 * i + 29) % 100;
        printf(" %d ", numbers[i]);
    }
    printf("\n");

    cudaMalloc(&dev_numbers, sizeof numbers);
    cudaMalloc(&dev_sums, BLOCKS * sizeof(int));
    cudaMemcpy(dev_numbers, numbers, sizeof numbers, cudaMemcpyHostToDevice);

    sum<<<BLOCKS, THREADS, THREADS * sizeof(int)>>>(dev_numbers, dev_sums);
    sum<<<1, BLOCKS, BLOCKS * sizeof(int)>>>(dev_sums, dev_sums);

    cudaMemcpy(&result, dev_sums, sizeof result, cudaMemcpyDeviceToHost);
    printf("OUTPUT: %d\n", result);

    cudaFree(dev_numbers);
    cudaFree(dev_sums);
    return 0;
}
