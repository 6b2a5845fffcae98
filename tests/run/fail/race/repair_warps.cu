// Where one warp of several races within itself, `__syncwarp()` is what helps; two warps need a barrier of the block, which
// not all threads come to; threads of two blocks need neither.
// revisions: one two blocks

#ifdef REV_blocks
#define BLOCKS 2
#else
#define BLOCKS 1
#endif
__device__ int cell;

__global__ void k(int *out) {
    __shared__ int box[96];
    int t = threadIdx.x;
#if defined REV_one
    if (t < 32) {
        box[t] = t;          //[one]~ RELATED shared-race
        out[t] = box[31 - t]; //[one]~ ERROR shared-race
    }
#elif defined REV_two
    if (t < 64) {
        box[t] = t;          //[two]~ RELATED shared-race
        out[t] = box[63 - t]; //[two]~ ERROR shared-race
    }
#else
    box[t] = t;
    if (t == 0 && blockIdx.x == 0) cell = box[t]; //[blocks]~ RELATED global-race
    if (t == 0 && blockIdx.x == 1) out[t] = cell; //[blocks]~ ERROR global-race
#endif
}

int main() {
    int *dev;
    cudaMalloc(&dev, 96 * sizeof(int));
    k<<<BLOCKS, 96>>>(dev);
    cudaDeviceSynchronize();
    cudaFree(dev);
    return 0;
}
