// With one thread a block no barrier can diverge.
// flags: --kernel kernel --block-dim 1 --grid-dim 4
__global__ void kernel(int *p) {
    if (threadIdx.x == 0 && p[blockIdx.x] > 0) __syncthreads();
    p[blockIdx.x] = 1;
}
