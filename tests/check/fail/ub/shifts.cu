// Shifts by the width or more. Near misses: the amount is masked, tested, or cannot be so large.
// flags: --block-dim 64 --grid-dim 1 --verdicts
__global__ void by_index(unsigned *out) {
    out[threadIdx.x] = 1u << threadIdx.x; //~ ERROR undefined-behavior: shifts by an amount out of range
}

__global__ void wide_by_index(unsigned long long *out) {
    out[threadIdx.x] = 1ull << threadIdx.x;
}

__global__ void by_lane(unsigned *out) {
    out[threadIdx.x] = 1u << (threadIdx.x & 31);
}

__global__ void negative(int *out) {
    out[threadIdx.x] = 256 >> ((int)threadIdx.x - 63 + 31); //~ ERROR undefined-behavior: shifts by an amount out of range
}

__global__ void by_argument(int *out, int n) {
    out[threadIdx.x] >>= n; //~ WARNING undefined-behavior: a thread may shift by an amount out of range
}

__global__ void by_argument_tested(int *out, int n) {
    if (n >= 0 && n < 32)
        out[threadIdx.x] >>= n;
}

__global__ void by_data(unsigned *out, const unsigned *in) {
    out[threadIdx.x] = in[threadIdx.x] << in[threadIdx.x + 64]; //~ WARNING undefined-behavior: a thread may shift by an amount out of range
}

__global__ void by_byte(unsigned *out, const unsigned char *in) {
    out[threadIdx.x] = in[threadIdx.x] << (in[threadIdx.x + 64] >> 4);
}

__global__ void each_bit(unsigned *out, unsigned n) {
    unsigned sum = 0;
    for (int i = 0; i < 32; i++)
        sum += n >> i & 1;
    for (int i = 0; i <= 32; i++)
        sum += n >> i & 1; //~ ERROR undefined-behavior: shifts by an amount out of range
    out[threadIdx.x] = sum;
}
