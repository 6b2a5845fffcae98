// A variable without a closed form that an invariant bounds: the next iteration follows from the one before.
// flags: --block-dim 64 --grid-dim 1
#include <cudair/verify.h>

__global__ void turns(unsigned *out) {
    __shared__ unsigned box[64];
    box[threadIdx.x] = threadIdx.x;
    __syncthreads();
    unsigned sum = 0;
    for (unsigned i = 0, at = threadIdx.x; __invariant(at < 64), i < 64; i++) {
        sum += box[at];
        at = at == 63 ? 0 : at + 1;
    }
    out[threadIdx.x] = sum;
}
