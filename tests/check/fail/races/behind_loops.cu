// Reads behind loops that race with writes in them: the last write is behind the last barrier, or threads of another block
// are still in the loop. The near misses are in pass/races/behind_loops.cu.
// flags: --block-dim 64 --grid-dim 2 --verdicts
__global__ void waits_first(int *out, const int *in, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        __syncthreads();
        s[t] = in[i * 64 + t];
    }
    if (n > 0) out[blockIdx.x * 64 + t] = s[(t + 1) % 64]; //~ WARNING shared-race
}

__global__ void leaves_in_the_middle(int *out, const int *in, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0;; i++) {
        s[t] = in[i * 64 + t];
        if (i == n) break;
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = s[(t + 1) % 64]; //~ WARNING shared-race
}

__global__ void goes_on(int *out, const int *in, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        s[t] = in[i * 64 + t];
        if (i % 3 == 1) continue;
        __syncthreads();
    }
    if (n > 0) out[blockIdx.x * 64 + t] = s[(t + 1) % 64]; //~ WARNING shared-race
}

__global__ void next_round(int *out, const int *in, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        s[t] = in[i];
        __syncthreads();
        for (int d = 32; d > 0; d >>= 1) {
            if (t < d) s[t] += s[t + d];
            __syncthreads();
        }
        out[blockIdx.x * 64 + t] += s[0]; //~ WARNING shared-race
    }
}

__global__ void of_blocks(int *out, int *sum, int n) {
    for (int i = 0; i < n; i++) {
        out[blockIdx.x * 64 + threadIdx.x] = i;
        __syncthreads();
    }
    if (n > 0) sum[blockIdx.x * 64 + threadIdx.x] = out[threadIdx.x]; //~ WARNING global-race
}
