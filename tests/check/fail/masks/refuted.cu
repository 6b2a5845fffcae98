// Masks that are wrong in every launch. What a device goes on with is a warning, as in a run.
// flags: --block-dim 64 --verdicts
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Half of each warp comes, and the others have left; the last lane that comes reads one of them.
__global__ void exited(int *a) {
    int v = a[threadIdx.x];
    if (threadIdx.x % 32 < 16) v += __shfl_down_sync(0xffffffffu, v, 1); //~ ERROR sync-mask: a lane reads from one that does not take part
    a[threadIdx.x] = v;
}

__global__ void voted(int *a) {
    if (threadIdx.x % 32 < 16) a[threadIdx.x] = __any_sync(0xffffffffu, a[threadIdx.x]); //~ WARNING sync-mask: names lanes that have left the kernel
}

__global__ void too_few(int *a) {
    int v = threadIdx.x;
    if (threadIdx.x % 32 < 16) v += __shfl_xor_sync(0x00007fffu, v, 1); //~ ERROR sync-mask
    a[threadIdx.x] = v;
}

// The others wait at another operation.
__global__ void tile(int *a) {
    auto t = cg::tiled_partition<32>(cg::this_thread_block());
    int v = a[threadIdx.x];
    if (threadIdx.x % 32 < 16) t.sync(); //~ ERROR sync-mask: lanes that the mask names never come here
    else v = t.shfl(v, 0); //~ WARNING sync-mask: a lane that the mask names may not come here
    a[threadIdx.x] = v;
}

// The mask is right, and the last lane reads the one behind it.
__global__ void beside(int *a) {
    int v = threadIdx.x;
    if (threadIdx.x % 32 < 16) v += __shfl_down_sync(0x0000ffffu, v, 1); //~ ERROR sync-mask: a lane reads from one that does not take part
    a[threadIdx.x] = v;
}

// The others wait for the block.
__global__ void barrier(int *a) {
    int v = a[threadIdx.x];
    if (threadIdx.x < 8) v = __shfl_sync(0xffffu, v, 0); //~ ERROR sync-mask: lanes that the mask names never come here
    __syncthreads();
    a[threadIdx.x] = v;
}

// Those that wait for each other name different lanes.
__global__ void unlike(int *a) {
    int v = threadIdx.x;
    v += __shfl_sync(threadIdx.x % 32 < 8 ? 0x0000ffffu : 0xffffffffu, v, 0); //~ ERROR sync-mask: lanes that the mask names never come here
    a[threadIdx.x] = v;
}

__global__ void unlike_by_argument(int *a, int n) {
    int v = threadIdx.x;
    v += __shfl_sync(threadIdx.x % 32 < n ? 0x0000ffffu : 0xffffffffu, v, 0); //~ WARNING sync-mask
    a[threadIdx.x] = v;
}

// In another round, which a run does not tell apart.
__global__ void rounds(int *a) {
    int v = threadIdx.x;
    for (int i = 0; i < 2; i++)
        if (i == threadIdx.x % 2) v += __shfl_xor_sync(0xffffffffu, v, 1); //~ WARNING sync-mask: a lane that the mask names may not come here
    a[threadIdx.x] = v;
}

// What memory holds decides who comes.
__global__ void by_data(int *a) {
    int v = a[threadIdx.x];
    if (v > 0) v += __shfl_xor_sync(0xffffffffu, v, 1); //~ WARNING sync-mask
    a[threadIdx.x] = v;
}

// Lanes that have left are not waited for, and nothing is exchanged.
__global__ void only_syncwarp(int *a) {
    if (threadIdx.x % 2 == 0) __syncwarp(); //~ WARNING sync-mask
}

// A mask of its own for each half.
__global__ void halves(int *a) {
    int v = threadIdx.x;
    v += __shfl_xor_sync(threadIdx.x & 16 ? 0xffff0000u : 0x0000ffffu, v, 1);
    a[threadIdx.x] = v;
}
