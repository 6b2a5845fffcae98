// One element too many in a row, a row too short, a stride that is not that of the grid: possible in some launch.
// flags: --verdicts
__global__ void one_more(float *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x <= w && y < h)
        out[y * w + x] = x; //~ WARNING global-race: threads of
}

__global__ void no_guard(float *out, int w) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * w + x] = x; //~ WARNING global-race
}

__global__ void stride_of_block(float *out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
        out[i] = blockIdx.x; //~ WARNING global-race
}

__global__ void other_width(float *out, int w, int v) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < w; j++)
        out[r * v + j] = r; //~ WARNING global-race
}
