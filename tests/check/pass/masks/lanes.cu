// All lanes that a mask names come to the operation. Near misses: tests/check/fail/masks/lanes.cu.
// flags: --block-dim 64 --verdicts --strict

// Half of each warp, and a mask of that half.
__global__ void half(int *a) {
    int v = threadIdx.x;
    if (threadIdx.x % 32 < 16) v += __shfl_down_sync(0x0000ffffu, v, 1, 16);
    a[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// Each lane reads within its own half of the mask.
__global__ void any_distance(int *a, int n) {
    int v = threadIdx.x;
    if (threadIdx.x % 32 < 16) v += __shfl_down_sync(0x0000ffffu, v, n, 16);
    a[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// The first warp alone.
__global__ void first_warp(int *a) {
    if (threadIdx.x < 32) {
        a[threadIdx.x] = 1;
        __syncwarp();
        a[31 - threadIdx.x] += 1;
    }
}

// Either half has its own mask.
__global__ void either(int *a) {
    int v = a[blockIdx.x];
    if (threadIdx.x & 16) v = __shfl_sync(0xffff0000u, v + threadIdx.x, 16);
    else v = __shfl_sync(0x0000ffffu, v + threadIdx.x, 0);
    a[gridDim.x + blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// The lanes of the mask go round as often.
__global__ void rounds(int *a) {
    int v = threadIdx.x;
    if (threadIdx.x % 32 < 8)
        for (int i = 0; i < 3; i++) v += __shfl_xor_sync(0xffu, v, 1);
    a[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// A lane that its own number makes go on longer has a mask of its own.
__global__ void alone(int *a) {
    int v = threadIdx.x;
    for (int i = 0; i < threadIdx.x; i++) v = __shfl_sync(1u << (threadIdx.x & 31), v, threadIdx.x);
    a[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
