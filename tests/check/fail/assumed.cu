// Assumptions and assertions that do not keep threads from parting at a barrier.
#include <assert.h>

// They wait before they fail.
__global__ void waits_first(int *p) {
    if (p[threadIdx.x] < 0) {
        __syncthreads(); //~ WARNING barrier-divergence
        assert(p[threadIdx.x] > 3);
        __builtin_unreachable();
    }
    p[threadIdx.x] = 1;
}

// They leave, and nothing fails.
__global__ void leaves(int *p) {
    assert(p[threadIdx.x] != 7);
    if (p[threadIdx.x] < 0)
        return;
    __syncthreads(); //~ WARNING barrier-divergence
}

// What is assumed leaves room for it.
__global__ void too_weak(int *p, int n) {
    __builtin_assume(n >= 1);
    if (threadIdx.x < n)
        __syncthreads(); //~ WARNING barrier-divergence
    __syncthreads();
}

// What has a side effect is not assumed.
__global__ void not_assumed(int *p, int n) {
    __builtin_assume(++n > blockDim.x);
    if (threadIdx.x < n)
        __syncthreads(); //~ WARNING barrier-divergence
    __syncthreads();
}
