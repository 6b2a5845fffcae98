// A loop that is left when its counter has wrapped around: what comes behind it is reached. Near miss: one thread writes.
// flags: --block-dim 64 --grid-dim 1
// revisions: all one
__global__ void down(unsigned *out, const unsigned *in) {
    __shared__ unsigned last;
    unsigned sum = 0;
    for (unsigned i = 9; i < 10; i--)
        sum += in[i];
    for (unsigned bit = 1; bit; bit <<= 1)
        sum ^= bit;
#ifdef REV_one
    if (threadIdx.x == 3)
#endif
        last = threadIdx.x; //[all]~ ERROR shared-race: of `last` without a barrier between them
    out[threadIdx.x] = sum;
}
