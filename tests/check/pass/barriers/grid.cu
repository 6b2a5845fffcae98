// What blocks do before and behind a barrier of the grid is ordered. Near misses: tests/check/fail/barriers/grid.cu.
// flags: --block-dim 64 --verdicts --strict
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void shifted(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int next = out[i + 1];
    cg::this_grid().sync();
    out[i] = next;
}

__global__ void rounds(int *a, int *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int round = 0; round < n; round++) {
        b[i] = a[i + 1] + a[i];
        cg::this_grid().sync();
        a[i] = b[i] + b[i + 1];
        cg::this_grid().sync();
    }
}

__global__ void part_of_the_grid(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i;
    cg::this_grid().sync();
    if (blockIdx.x == 0)
        out[i] += out[i + 64];
}

// The bound is one for the whole grid.
__global__ void bound_from_memory(int *a, const int *bound) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int round = 0; round < bound[0]; round++) {
        int next = a[i + 1];
        cg::this_grid().sync();
        a[i] = next;
        cg::this_grid().sync();
    }
}
