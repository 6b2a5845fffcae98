// No two threads draw the same number from a counter: what they write there is their own. How many numbers are drawn
// nobody knows. Near misses: tests/check/fail/races/tickets.cu.
// flags: --block-dim 64 --verdicts --strict --no-check out-of-bounds
__global__ void compact(const int *in, int *out, unsigned *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0)
        out[atomicAdd(count, 1u)] = in[i];
}

__global__ void in_strides(const int *in, int *out, unsigned *count, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        if (in[i] > 0)
            out[atomicAdd(count, 1u)] = in[i];
}

__global__ void of_block(const int *in, int *out) {
    __shared__ int count;
    __shared__ int found[64];
    if (threadIdx.x == 0)
        count = 0;
    // Which thread writes an element is for the run: without this the reads below are possible ones of nothing.
    found[threadIdx.x] = 0;
    __syncthreads();
    if (in[threadIdx.x] > 0)
        found[atomicAdd(&count, 1)] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < count)
        out[blockIdx.x * 64 + threadIdx.x] = found[threadIdx.x];
}
