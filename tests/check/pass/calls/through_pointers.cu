// A call through a pointer is one of the functions that the pointer may be: each is followed. Near misses, in
// tests/check/fail/calls: the pointer may be another, and one of the functions races.
// flags: --block-dim 64 --grid-dim 2 --verdicts --strict
#include "cudair/verify.h"

typedef void (*Change)(float *, unsigned);

__device__ void twice(float *v, unsigned i) {
    v[i] *= 2;
}

__device__ void half(float *v, unsigned i) {
    v[i] /= 2;
}

__device__ unsigned own() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void chosen(float *v, int up) {
    Change change = up ? twice : half;
    change(v, own());
}

__global__ void never_null(float *v, int which) {
    __requires(which == 1 | which == 2);
    Change change = nullptr;
    if (which == 1)
        change = twice;
    else if (which == 2)
        change = half;
    change(v, own());
}

__global__ void passed(float *v, Change change) {
    __requires(change == twice | change == half);
    change(v, own());
}

// Through a number and back.
__global__ void as_number(float *v, int up) {
    size_t at = up ? (size_t)twice : (size_t)half;
    ((Change)at)(v, own());
}

__device__ Change choose(int up) {
    return up ? twice : half;
}

__global__ void returned(float *v, int up) {
    choose(up)(v, own());
}

// Neither a function of the host nor a kernel is one of them, though their addresses are taken.
void on_host(float *v, unsigned i) {
    v[0] = i;
}

__global__ void kernel(float *v, unsigned i) {
    v[own()] = i;
}

Change others[] = {on_host, kernel};
