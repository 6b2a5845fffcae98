// Nothing that is decided costs more than it has to: padded rows, one word for all, neighbours, whole warps; and nothing is
// said of what an index from memory or an unknown stride makes.
// flags: --perf
__global__ void padded(float *out) {
    __shared__ float tile[32][33];
    tile[threadIdx.y][threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x % 32][threadIdx.y];
}

__global__ void broadcast(float *out, const float *in) {
    __shared__ float s[64];
    s[threadIdx.x] = in[5];
    __syncthreads();
    out[threadIdx.x] = s[3] + s[threadIdx.x];
}

__global__ void rows(float *m, int n) {
    for (int k = 0; k < n; k++) m[k * 1024 + blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

__global__ void gather(float *out, const float *in, const int *at) { out[threadIdx.x] = in[at[threadIdx.x]]; }

__global__ void stride(float *out, const float *in, int n) { out[threadIdx.x] = in[threadIdx.x * n]; }

__global__ void warps(float *out, int n) {
    if (threadIdx.x / 32 % 2 == 0) out[threadIdx.x] = 1;
    if (n > 3) out[threadIdx.x] += 1;
}
