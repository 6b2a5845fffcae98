// What a thread reads back is what it has written itself, if no other thread writes there. Near misses:
// tests/check/fail/faults/read_back_not.cu.
// flags: --block-dim 64 --verdicts --strict --no-check out-of-bounds
#include <cassert>

__global__ void doubled(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * i;
    assert(out[i] == 2 * i);
}

// Over a branch, other elements and another array.
__global__ void between(int *out, int *other, int n) {
    __shared__ int box[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    box[threadIdx.x] = threadIdx.x + 1;
    other[i] = n;
    if (n > 3) {
        int *two = out + 2 * i;
        two[0] = 1;
        two[1] = 2;
        assert(box[threadIdx.x] > 0 && two[0] == 1);
    }
}

// An index that was written before.
__global__ void index_of_own(int *out) {
    __shared__ int at[64];
    at[threadIdx.x] = 63 - threadIdx.x;
    out[blockIdx.x * blockDim.x + at[threadIdx.x]] = 1;
}

__global__ void local(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    volatile int x = i;
    out[i] = 1;
    assert(x == i);
}
