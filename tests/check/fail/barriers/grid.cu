// Blocks that do not come to a barrier of the grid, and accesses that none orders.
// flags: --block-dim 64 --grid-dim 4 --verdicts
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void half(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x % 2 == 0) {
        int next = out[i + 2];
        cg::this_grid().sync(); //~ ERROR barrier-divergence: blocks 0 and 1 wait at different barriers of the grid
        out[i] = next;
    }
}

__global__ void other_rounds(int *out) {
    for (int i = 0; i <= blockIdx.x; i++) {
        out[blockIdx.x * blockDim.x + threadIdx.x] = i;
        cg::this_grid().sync(); //~ ERROR barrier-divergence: blocks 0 and 1 wait at different barriers of the grid
    }
}

__global__ void by_data(int *out, const int *in) {
    if (in[blockIdx.x] > 0)
        cg::this_grid().sync(); //~ WARNING barrier-divergence: blocks of the grid may diverge before this barrier of the grid
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void block_only(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int next = out[i + 1];
    __syncthreads();
    out[i] = next; //~ ERROR global-race
}

// The second half of a round runs into the first half of the next one.
__global__ void one_barrier_missing(int *a, int *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int round = 0; round < n; round++) {
        b[i] = a[i + 1] + a[i];
        cg::this_grid().sync();
        a[i] = b[i]; //~ WARNING global-race
    }
}
