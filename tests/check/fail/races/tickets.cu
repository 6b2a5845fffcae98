// Numbers that two threads may draw.
// flags: --block-dim 64 --grid-dim 4 --verdicts
__global__ void nothing_added(int *out, int *count) {
    out[atomicAdd(count, 0)] = threadIdx.x; //~ ERROR global-race: threads 0 and 1 of block 0
}

__global__ void own_amount(int *out, int *count) {
    out[atomicAdd(count, (int)threadIdx.x)] = threadIdx.x; //~ WARNING global-race
}

__global__ void counters_of_halves(int *out, int *count) {
    out[atomicAdd(&count[threadIdx.x / 32], 1)] = threadIdx.x; //~ WARNING global-race
}

// Each block has a counter of its own.
__global__ void of_block(int *out) {
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    out[atomicAdd(&count, 1)] = threadIdx.x; //~ WARNING global-race: threads of two blocks
}

// It is set back meanwhile.
__global__ void set_back(int *out, int *count) {
    int at = atomicAdd(count, 1);
    if (threadIdx.x == 5)
        *count = 0; //~ ERROR global-race
    out[at] = threadIdx.x; //~ WARNING global-race
}

__global__ void atomic_to_a_block(int *out, int *count) {
    out[atomicAdd_block(count, 1)] = threadIdx.x; //~ WARNING global-race: threads of two blocks may touch the same bytes of what `out`
    //~^ WARNING global-race: threads of two blocks may touch the same bytes of what `count`
}
