// What an annotation bounds on both sides is given: a race for one of these values is certain. Near misses: a bound on one
// side gives nothing, and neither does silence.
// flags: --block-dim 64 --grid-dim 1 --verdicts
#include "cudair/verify.h"

__global__ void bounded(int *out, int shift) {
    __requires(shift >= 0);
    __requires(shift < 64);
    int old = out[threadIdx.x + shift];
    out[threadIdx.x] = old + 1; //~ ERROR global-race: threads
}

__global__ void half_bounded(int *out, int shift) {
    __requires(shift >= 0);
    int old = out[threadIdx.x + shift];
    out[threadIdx.x] = old + 1; //~ WARNING global-race: two threads of a block may touch the same bytes
}

__global__ void silent(int *out, int shift) {
    int old = out[threadIdx.x + shift];
    out[threadIdx.x] = old + 1; //~ WARNING global-race: two threads of a block may touch the same bytes
}

__global__ void stated(int n) {
    __requires(n > 3 & n < 10);
    __assert(n != 7); //~ ERROR assertion-failed: an assertion is false for thread 0
}

__global__ void out_of_range(int n) {
    __requires(n > 3 & n < 10);
    __assert(n < 10);
}

__global__ void always(int n) {
    int kind = 0;
    switch (n) {
    case 1: kind = 2; break;
    case 2: kind = 3; break;
    default: kind = 4;
    }
    __assert(kind < 2); //~ ERROR assertion-failed: an assertion is false for every thread
}
