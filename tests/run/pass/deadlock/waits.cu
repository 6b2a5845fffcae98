// Threads that wait long, but not in vain.
#include <cstdio>

__device__ int lock, turn, done;

// A lock that lanes of one warp take from each other: each goes on where it has it.
__global__ void locked(int *sum) {
    bool mine = false;
    while (!mine) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence();
            *(volatile int *)sum = *(volatile int *)sum + 1;
            __threadfence();
            atomicExch(&lock, 0);
            mine = true;
        }
    }
}

// Each block waits for the one before it.
__global__ void chain(int *out) {
    if (threadIdx.x == 0) {
        while (atomicAdd(&turn, 0) != gridDim.x - 1 - blockIdx.x) __nanosleep(20);
        __threadfence();
        out[gridDim.x - 1 - blockIdx.x] = blockIdx.x;
        __threadfence();
        atomicAdd(&turn, 1);
    }
}

// The last block to come finishes the work.
__global__ void last(const int *in, int *part, int *out) {
    __shared__ bool am_last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = in[blockIdx.x] * 2;
        __threadfence();
        am_last = atomicAdd(&done, 1) == (int)gridDim.x - 1;
    }
    __syncthreads();
    if (am_last && threadIdx.x == 0) {
        __threadfence();
        int sum = 0;
        for (int i = 0; i < (int)gridDim.x; i++) sum += ((volatile int *)part)[i];
        *out = sum;
    }
}

// Much work without any change that others see.
__global__ void busy(unsigned *out, int n) {
    unsigned x = threadIdx.x + 1;
    for (int i = 0; i < n; i++) x = x * 1664525u + 1013904223u;
    out[threadIdx.x] = x;
}

int main() {
    int *data;
    cudaMallocManaged(&data, 64 * sizeof(int));
    data[0] = 0;
    locked<<<2, 40>>>(data);
    cudaDeviceSynchronize();
    printf("%d\n", data[0]);
    chain<<<20, 32>>>(data);
    cudaDeviceSynchronize();
    printf("%d %d\n", data[0], data[19]);
    last<<<20, 32>>>(data, data + 20, data + 40);
    cudaDeviceSynchronize();
    printf("%d\n", data[40]);
    busy<<<1, 32>>>((unsigned *)data, 100000);
    cudaDeviceSynchronize();
    printf("%u\n", ((unsigned *)data)[31]);
    cudaFree(data);
}
