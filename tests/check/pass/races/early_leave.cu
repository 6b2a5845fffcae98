// Whole blocks leave before a barrier: the condition is the same for all threads of a block.
// flags: --block-dim 64 --grid-dim 8
__global__ void guarded(int *out, int n) {
    if (blockIdx.x * blockDim.x >= n)
        return;
    if (threadIdx.x < blockDim.x)
        __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = n;
}
