// A race in a late iteration, when what the loop halves has long been zero and what it adds has wrapped around: neither
// of them ends the loop. Near miss: one thread writes.
// flags: --block-dim 64 --grid-dim 1
// revisions: all one
__global__ void late(unsigned *out) {
    __shared__ int last;
    unsigned halved = 1u << 31, sum = threadIdx.x;
    for (int i = 0; i < 1000; i++) {
#ifdef REV_one
        if (threadIdx.x == 3)
#endif
            if (i == 700)
                last = threadIdx.x; //[all]~ ERROR shared-race: of `last` without a barrier between them
        halved >>= 1;
        sum += 0x9e3779b9u;
    }
    out[threadIdx.x] = halved + sum;
}
