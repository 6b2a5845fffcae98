// Two threads meet whatever memory holds, though where they meet hangs on it. Near misses are possible, no more.
// flags: --block-dim 64 --grid-dim 1 --verdicts
#include <cassert>

__device__ int table[16];

__global__ void one_place(const int *at, int *out) {
    out[*at] = threadIdx.x; //~ ERROR global-race: threads 0 and 1 of block 0 touch the same bytes of what `out`
}

__global__ void one_of_two(const int *data, int *out) {
    int at = data[0] > 5 ? 3 : 4;
    out[at] = threadIdx.x; //~ ERROR global-race: threads 0 and 1
}

// A branch on data that leads nowhere else.
__global__ void either_way(const int *data, int *out, int n) {
    int sum = n;
    if (data[threadIdx.x] > 0)
        sum = __vabs4(n);
    out[0] = sum + threadIdx.x; //~ ERROR global-race: threads 0 and 1
}

__global__ void nothing_changed(unsigned *count, int *out) {
    unsigned a = atomicOr(&count[0], 0u), b = atomicAnd(&count[1], ~0u), c = atomicMax(&count[2], 0u);
    out[a + b + c] = threadIdx.x; //~ ERROR global-race: threads 0 and 1
}

// What all read through pairs of threads.
__global__ void pairs(const int *at, int *out) {
    out[at[threadIdx.x / 2]] = threadIdx.x; //~ ERROR global-race: threads 0 and 1
}

// Each its own element: some contents let them miss each other.
__global__ void own_element(const int *at, int *out) {
    out[at[threadIdx.x]] = threadIdx.x; //~ WARNING global-race: two threads of a block may touch
}

__global__ void for_an_argument(const int *at, int *out, int n) {
    if (n > 0)
        out[*at] = threadIdx.x; //~ WARNING global-race: two threads of a block may touch
}

__global__ void by_data(const int *at, int *out) {
    if (at[1] > 0)
        out[*at] = threadIdx.x; //~ WARNING global-race: two threads of a block may touch
}

// Another thread may change what is read.
__global__ void changed(unsigned *count, int *out) {
    if (threadIdx.x == 40)
        atomicAdd(count, 1u);
    out[atomicOr(count, 0u)] = threadIdx.x; //~ WARNING global-race: two threads of a block may touch
}

__global__ void other_atomic(unsigned *count, unsigned *other, int *out) {
    atomicAdd(other, 1u);
    out[atomicOr(count, 0u)] = threadIdx.x; //~ WARNING global-race: two threads of a block may touch
}

__global__ void reads_what_it_writes(int *out) {
    out[out[0]] = threadIdx.x; //~ WARNING global-race: two threads of a block may touch
}

__global__ void writes_first(const int *at, int *out, int *own) {
    own[threadIdx.x] = 1;
    out[*at] = threadIdx.x; //~ WARNING global-race: two threads of a block may touch
}

__global__ void looks_again(const volatile int *at, int *out) {
    out[*at] = threadIdx.x; //~ WARNING global-race: two threads of a block may touch
}

__global__ void asserted(const int *at, int *out) {
    assert(*at > 3); //~ WARNING assertion-failed
    out[*at] = threadIdx.x; //~ WARNING global-race: two threads of a block may touch
}

// It may lie outside, and then the launch ends for that.
__global__ void sized(const int *at) {
    table[*at] = threadIdx.x; //~ WARNING global-race: two threads of a block may touch
    //~^ WARNING out-of-bounds
}

__global__ void in_a_loop(const int *at, int *out) {
    for (int i = 0; i < at[0]; i++)
        out[at[1]] = threadIdx.x; //~ WARNING global-race: two threads of a block may touch
}

__global__ void one_value(const int *at, int *out) {
    out[*at] = 1; //~ WARNING global-race: two threads of a block may touch
}
