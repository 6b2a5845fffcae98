// Near misses of tests/check/pass/races/lockstep.cu.
// flags: --strict --warp-model lockstep --grid-dim 1 --block-dim 64
__global__ void plain(int *out) {
    __shared__ int box[96];
    int t = threadIdx.x & 31;
    if (threadIdx.x < 32) {
        box[t] = t;
        box[t + 32] = 0;
        // A compiler may keep these in registers.
        box[t] += box[t + 16]; //~ ERROR shared-race //~ ERROR shared-race
    }
    out[threadIdx.x] = 0;
}

// Threads of two warps.
__global__ void warps(int *out) {
    __shared__ volatile int box[96];
    int t = threadIdx.x;
    box[t] = t;
    out[t] = box[t + 16]; //~ ERROR shared-race
}

// One instruction of two threads.
__global__ void same(int *out) {
    __shared__ volatile int box[32];
    if (threadIdx.x < 32) box[threadIdx.x / 2] = threadIdx.x; //~ ERROR shared-race
    out[threadIdx.x] = 0;
}
