// What a thread does wrong by itself: a null pointer, a write to constant memory, a false assertion. Near misses: the
// pointer is that of a variable, constant memory is read, the assertion holds.
// flags: --block-dim 64 --grid-dim 1
// revisions: right wrong
#include <cassert>

__constant__ int factors[4];
__device__ int last;

#ifdef REV_wrong
__global__ void null_pointer(int) {
    int *p = nullptr;
    if (threadIdx.x == 5)
        *p = 1; //[wrong]~ ERROR null-dereference: thread 5 of block 0 touches memory at a null pointer
}

__global__ void constant(int *in) {
    const_cast<int *>(factors)[threadIdx.x % 4] = in[threadIdx.x]; //[wrong]~ ERROR read-only-write: every thread writes to `factors`, which is constant memory
}

__global__ void claims(int *out) {
    assert(threadIdx.x < blockDim.x / 2); //[wrong]~ ERROR assertion-failed: an assertion is false for thread 32 of block 0
    out[threadIdx.x] = 1;
}
#else
__global__ void null_pointer(int) {
    int *p = nullptr;
    if (threadIdx.x == 5) {
        p = &last;
        *p = 1;
    }
}

__global__ void constant(int *in) {
    in[threadIdx.x] = factors[threadIdx.x % 4];
}

__global__ void claims(int *out) {
    assert(threadIdx.x < blockDim.x);
    out[threadIdx.x] = 1;
}
#endif
