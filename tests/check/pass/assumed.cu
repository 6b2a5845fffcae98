// What ends the launch is no way past a barrier, and no finding rests on a launch in which an assumption is false.
#include <assert.h>

__global__ void asserted(int *p) {
    assert(p[threadIdx.x] > 3);
    __syncthreads();
    p[threadIdx.x] = 1;
}

__global__ void assumed(int *p) {
    for (int i = 0; i < 4; ++i) {
        if (p[threadIdx.x] != i)
            __builtin_assume(p[threadIdx.x] > 3);
        __cudair_assert(p[threadIdx.x] != 9);
        __syncthreads();
    }
}

__global__ void trapped(int *p) {
    if (p[threadIdx.x] == 0)
        __trap();
    __syncthreads();
}

__global__ void whole_block(float *out, int n) {
    __builtin_assume(n == 256 && blockDim.x == 256);
    if (threadIdx.x < n)
        __syncthreads();
    out[threadIdx.x] = 1;
}

__global__ void whole_block_asserted(float *out, int n) {
    assert(n >= blockDim.x);
    if (threadIdx.x < n)
        __syncthreads();
    out[threadIdx.x] = 1;
}
