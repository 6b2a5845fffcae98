// A lock and a ticket lock in shared memory guard a plain counter of the block.
#include <stdio.h>

__global__ void count(int *out) {
    __shared__ int lock, counter;
    __shared__ unsigned next, serving;
    __shared__ int sum;
    if (threadIdx.x == 0) {
        lock = counter = sum = 0;
        next = serving = 0;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        __threadfence_block();
        counter += 1;
        __threadfence_block();
        atomicExch(&lock, 0);
        // A ticket lock: the one served reads the number without an atomic operation.
        const unsigned mine = atomicAdd(&next, 1u);
        while (*(volatile unsigned *)&serving != mine) {
        }
        __threadfence_block();
        sum += threadIdx.x;
        __threadfence_block();
        *(volatile unsigned *)&serving = mine + 1;
    }
    __syncthreads();
    if (threadIdx.x == 1) out[blockIdx.x] = counter * 1000 + sum;
}

int main() {
    int *out;
    cudaMallocManaged(&out, 2 * sizeof(int));
    count<<<2, 128>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[0], out[1]);
    cudaFree(out);
    return 0;
}
