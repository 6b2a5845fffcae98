// Near misses of tests/check/pass/barriers/stable_loads.cu: a write may come between the loads of two threads.
// flags: --block-dim 64 --strict

// The element that a block reads is one that it writes.
__global__ void own_element(int *nodes, int *out) {
    int n = nodes[blockIdx.x];
    for (int i = 0; i < n; i++) {
        out[blockIdx.x * blockDim.x + threadIdx.x] += i;
        __syncthreads(); //~ ERROR barrier-divergence
    }
    if (threadIdx.x == 0) nodes[blockIdx.x] = 0; //~ ERROR global-race
}

// The last thread writes the element that all read, between the same barriers.
__global__ void next_element(int n) {
    __shared__ int s[65];
    for (;;) {
        if (threadIdx.x == 0) s[64] = n;
        __syncthreads(); //~ ERROR barrier-divergence
        int w = s[64];
        s[1 + threadIdx.x] = w; //~ ERROR shared-race
        if (w >= n) break;
        __syncthreads(); //~ ERROR barrier-divergence
    }
}

// A single thread writes, in front of its own load.
__global__ void first_writes(int *out) {
    __shared__ int s;
    s = 0; //~ ERROR shared-race
    __syncthreads();
    if (threadIdx.x == 0) s = 1;
    if (s) __syncthreads(); //~ ERROR barrier-divergence //~ ERROR shared-race
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

// Another block writes, and no barrier of a block orders it.
__global__ void by_another_block(int *flag, int *out) {
    if (flag[0]) __syncthreads(); //~ ERROR barrier-divergence
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    flag[blockIdx.x] = 1; //~ ERROR global-race
}

// A volatile load is one that others are expected to write.
__global__ void is_volatile(volatile int *flag, int *out) {
    if (flag[blockIdx.x]) __syncthreads(); //~ ERROR barrier-divergence
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    flag[gridDim.x + blockIdx.x] = 1; //~ ERROR global-race
}
