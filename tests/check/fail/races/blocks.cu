// Threads of two blocks write one element of device memory; with the block's index in it they do not.
// flags: --block-dim 32 --grid-dim 4
// revisions: without with
__global__ void fill(int *out) {
#ifdef REV_with
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#else
    int i = blockIdx.x + threadIdx.x;
#endif
    out[i] = i + blockIdx.x; //[without]~ ERROR global-race: touch the same bytes of what `out` points to, and nothing orders them
}
