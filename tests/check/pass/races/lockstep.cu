// The reduction of old within a warp: volatile accesses are in the order of the program where lanes advance together.
// flags: --strict --warp-model lockstep --block-dim 32 --grid-dim 1
__global__ void sum(int *out) {
    __shared__ volatile int box[64];
    int t = threadIdx.x;
    box[t] = t;
    box[t + 32] = 0;
    for (int i = 16; i > 0; i >>= 1) box[t] = box[t] + box[t + i];
    if (t == 0) *out = box[0];
}
