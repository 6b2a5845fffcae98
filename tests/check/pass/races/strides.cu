// Loops that go on by the grid's or the block's size, a transpose through padded shared memory, a double buffer.
// flags: --block-dim 64 --grid-dim 16 --strict
__global__ void scale(float *data, int n, float by) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        data[i] *= by;
}

__global__ void reverse(int *data) {
    __shared__ int box[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        box[i] = data[blockIdx.x * 256 + i];
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        data[blockIdx.x * 256 + i] = box[255 - i];
}

__global__ void scan(const int *in, int *out) {
    __shared__ int box[2][64];
    int t = threadIdx.x, from = 0;
    box[0][t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
        int to = 1 - from;
        box[to][t] = t >= step ? box[from][t] + box[from][t - step] : box[from][t];
        from = to;
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = box[from][t];
}
