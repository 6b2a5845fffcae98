// What happens behind a barrier to which not all threads of the block come is at most possible: they may wait for ever. Near
// misses: in front of the barrier, and behind one to which all come.
// flags: --block-dim 64 --grid-dim 1 --verdicts
#include <cassert>

__global__ void behind(int *out) {
    if (threadIdx.x != 5)
        __syncthreads(); //~ WARNING barrier-divergence
    out[threadIdx.x] = 1;
    assert(threadIdx.x != 3); //~ WARNING assertion-failed
}

__global__ void in_front(int *out) {
    assert(threadIdx.x < 3); //~ ERROR assertion-failed
    if (threadIdx.x == 0)
        __syncthreads(); //~ WARNING barrier-divergence
    out[threadIdx.x] = 1;
}

__global__ void behind_one_of_all(int *out) {
    __syncthreads();
    out[threadIdx.x] = 1;
    assert(threadIdx.x < 3); //~ ERROR assertion-failed
}
