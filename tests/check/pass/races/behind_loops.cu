// Reads behind a loop that ends with a barrier: who is behind the loop has met all writers at its last barrier, and no
// thread is in a further iteration. The near misses are in fail/races/behind_loops.cu.
// flags: --block-dim 64 --grid-dim 2 --verdicts
__global__ void counted(int *out, const int *in, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        s[t] = in[i * 64 + t];
        __syncthreads();
    }
    if (n > 0) out[blockIdx.x * 64 + t] = s[(t + 1) % 64];
}

__global__ void reduction(int *out, const int *in) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = 32; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = s[0];
}

// What the block divides by, as a softmax does: two reductions, each read by all.
__global__ void twice(float *out, const float *in) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d) s[t] = fmaxf(s[t], s[t + d]);
        __syncthreads();
    }
    float most = s[0];
    __syncthreads();
    s[t] = expf(in[t] - most);
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = expf(in[t] - most) / s[0];
}

// Loops in a loop: the read is behind the inner one, and the outer one waits before it writes.
__global__ void rows(int *out, const int *in, int n, int m) {
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        s[t] = 0;
        __syncthreads();
        for (int j = 0; j < m; j++) {
            s[63 - t] += in[(i * m + j) * 64 + t];
            __syncthreads();
        }
        out[blockIdx.x * 64 + t] += s[(t + 1) % 64];
        __syncthreads();
    }
}

// A loop that is tested at its end.
__global__ void tested_late(int *out, const int *in, int n) {
    __shared__ int s[64];
    int t = threadIdx.x, i = 0;
    s[t] = 0;
    __syncthreads();
    do {
        s[t] = in[i * 64 + t];
        __syncthreads();
    } while (++i < n);
    out[blockIdx.x * 64 + t] = s[(t + 1) % 64];
}
