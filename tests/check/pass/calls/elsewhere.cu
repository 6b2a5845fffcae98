// Functions that other files define: what they may do is a premise of the proof. Near miss: one is given a pointer.
// flags: --block-dim 64 --grid-dim 1 --verdicts
struct Pair {
    short a, b;
};

__device__ int next();
__device__ void tell(int value);
__device__ void tell_pair(Pair pair);
__device__ void change(int *value);

__global__ void told(int *out) {
    __shared__ int value[64];
    value[threadIdx.x] = next();
    tell(value[threadIdx.x]);
    __syncthreads();
    out[threadIdx.x] = value[63 - threadIdx.x];
}

__global__ void told_pair(const Pair *pairs) {
    tell_pair(pairs[threadIdx.x]);
}

__global__ void changed(int *out) {
    change(out + threadIdx.x); //~ WARNING shared-race: threads may race in shared memory: a call of `change` is not followed
    //~^ WARNING global-race: threads may race in device memory: a call of `change` is not followed
}
