// Each thread writes behind a loop that it goes through as often as its index says: all have come behind their loops where
// they meet.
// flags: --block-dim 256 --grid-dim 1 --verdicts
__global__ void strided(float *out, const float *in, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    float m = -1e30f;
    for (int i = t; i < n; i += blockDim.x) m = fmaxf(m, in[i]);
    s[t] = m;
    __syncthreads();
    out[t] = s[255 - t] + 1;
}

__global__ void searches(float *out, const int *in, int n) {
    __shared__ float s[256];
    int t = threadIdx.x, i = 0;
    while (in[t * 7 + i] > n) i++;
    if (t < 128) s[2 * t] = i;
    else s[2 * t - 255] = -i;
    __syncthreads();
    out[t] = s[255 - t] + 1;
}

__global__ void softmax(float *out, const float *in, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    float m = -1e30f;
    for (int i = t; i < n; i += blockDim.x) m = fmaxf(m, in[i]);
    s[t] = m;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d >>= 1) {
        if (t < d) s[t] = fmaxf(s[t], s[t + d]);
        __syncthreads();
    }
    m = s[0];
    __syncthreads();
    float sum = 0;
    for (int i = t; i < n; i += blockDim.x) sum += expf(in[i] - m);
    s[t] = sum;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    for (int i = t; i < n; i += blockDim.x) out[i] = expf(in[i] - m) / s[0];
}
