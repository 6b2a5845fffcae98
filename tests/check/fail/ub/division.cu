// Divisions whose divisor is 0, or whose quotient does not fit. Near misses: the divisor is tested, or cannot be 0.
// flags: --block-dim 64 --grid-dim 1 --verdicts
#include <cudair/verify.h>

__global__ void by_index(int *out) {
    out[threadIdx.x] = 100 / (int)threadIdx.x; //~ ERROR undefined-behavior: thread 0 of block 0 divides by zero
}

__global__ void by_index_plus_one(int *out) {
    out[threadIdx.x] = 100 / ((int)threadIdx.x + 1);
}

__global__ void by_nothing(int *out) {
    out[threadIdx.x] = out[threadIdx.x] % 0; //~ ERROR undefined-behavior: every thread divides by zero
}

__global__ void by_argument(unsigned *out, unsigned n) {
    out[threadIdx.x] = threadIdx.x % n; //~ WARNING undefined-behavior: a thread may divide by zero
}

__global__ void by_argument_tested(unsigned *out, unsigned n) {
    if (n > 0)
        out[threadIdx.x] = threadIdx.x % n;
}

__global__ void by_data(int *out, const int *in) {
    out[threadIdx.x] = in[threadIdx.x] / in[threadIdx.x + 64]; //~ WARNING undefined-behavior: a thread may divide by zero
}

__global__ void by_data_tested(unsigned *out, const unsigned *in) {
    unsigned n = in[threadIdx.x];
    out[threadIdx.x] = n == 0 ? 0 : 100 / n;
}

// The smallest integer has no positive counterpart.
__global__ void by_nonzero_data(int *out, const int *in) {
    int n = in[threadIdx.x];
    if (n != 0)
        out[threadIdx.x] = in[threadIdx.x + 64] / n; //~ WARNING undefined-behavior: a thread may divide the smallest integer by -1
}

__global__ void by_positive_data(int *out, const int *in) {
    int n = in[threadIdx.x];
    if (n > 0)
        out[threadIdx.x] = in[threadIdx.x + 64] / n;
}

__global__ void negates(int *out) {
    int least = -2147483647 - (int)(threadIdx.x == 7);
    out[threadIdx.x] = least / -1; //~ ERROR undefined-behavior: thread 7 of block 0 divides the smallest integer by -1
}

// Each turn of the loop has a divisor of its own.
__global__ void counts_down(int *out, int n) {
    int sum = 0;
    for (int i = 5; i >= 0; i--)
        sum += 100 / i; //~ ERROR undefined-behavior: thread 0 of block 0 divides by zero
    for (int i = 5; i > 0; i--)
        sum += 100 / i;
    out[threadIdx.x] = sum;
}

__global__ void assumed(int *out, int n) {
    __requires(n >= 1);
    out[threadIdx.x] = 100 / n;
}
