// The last warp of the block has 16 lanes.
// flags: --block-dim 48 --strict
__global__ void full(int *a) {
    a[blockIdx.x * blockDim.x + threadIdx.x] = __shfl_down_sync(0xffffffffu, threadIdx.x, 1); //~ ERROR sync-mask: the mask names lanes that the block does not have
}

// Near misses: the lanes that there are, and the warp that has them all.
__global__ void those(int *a) {
    int v = threadIdx.x;
    if (threadIdx.x % 32 < 16) v = __shfl_down_sync(0x0000ffffu, v, 1, 16);
    a[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

__global__ void first(int *a) {
    int v = threadIdx.x;
    if (threadIdx.x < 32) v = __shfl_down_sync(0xffffffffu, v, 1);
    a[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
