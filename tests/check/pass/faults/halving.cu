// What a loop divides by the same power of two stays within its first value, whatever its sign.
// flags: --strict --block-dim 256
__global__ void reduce(float *out) {
    __shared__ float parts[256];
    int t = threadIdx.x;
    parts[t] = t;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half) parts[t] += parts[t + half];
        __syncthreads();
    }
    if (t == 0) *out = parts[0];
}

__global__ void below_zero(int *out) {
    __shared__ int s[129];
    if (threadIdx.x != 0) return;
    for (int i = -128; i < 0; i /= 4) s[i + 128] = 1;
    for (int i = -1024; i != 0; i /= 8) s[-i / 8] = 2;
    for (unsigned i = 128; i != 0; i /= 16) s[i] = 3;
    *out = 1;
}
