// Near misses of tests/check/pass/masks/lanes.cu.
// flags: --block-dim 64 --strict

// The mask names a lane too much.
__global__ void half(int *a) {
    int v = threadIdx.x;
    if (threadIdx.x % 32 < 16) v += __shfl_down_sync(0x0001ffffu, v, 1, 16); //~ ERROR sync-mask: the mask names lanes that have left the kernel
    a[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// The mask names a lane too few.
__global__ void too_few(int *a) {
    int v = threadIdx.x;
    if (threadIdx.x % 32 < 16) v += __shfl_down_sync(0x00007fffu, v, 1, 16); //~ ERROR sync-mask: a lane comes here that the mask does not name
    a[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// A part of the first warp.
__global__ void first_warp(int *a) {
    if (threadIdx.x < 31) {
        a[threadIdx.x] = 1;
        __syncwarp(); //~ ERROR sync-mask: a lane that the mask names may not come here
    }
}

// The lanes of the mask leave the loop one after another.
__global__ void rounds(int *a) {
    int v = threadIdx.x;
    if (threadIdx.x % 32 < 8)
        for (int i = 0; i < threadIdx.x; i++) v += __shfl_xor_sync(0xffu, v, 1); //~ ERROR sync-mask: a lane reads from one that does not take part
    a[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// Some lanes have left the kernel.
__global__ void left(int *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = __shfl_down_sync(0xffffffffu, i, 1); //~ ERROR sync-mask: a lane that the mask names may not come here
    a[i] = v;
}

// The last lane that comes reads one that does not, in some launches.
__global__ void reads_beside(int *a, int n) {
    int v = threadIdx.x;
    if (threadIdx.x % 32 < 16) v += __shfl_down_sync(0x0000ffffu, v, n); //~ ERROR sync-mask: a lane may be read that the mask does not name
    a[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
