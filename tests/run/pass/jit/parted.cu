// Lanes that run together part, and what they have done differs behind a barrier, where they run together again: a loop that
// they leave at different turns, a value that two ways give, conditions and 64-bit values among it.
// run-flags: --engine jit
#include <cstdio>

__global__ void turns(int *out) {
    int n = 0;
    for (int i = 0; i < (threadIdx.x & 3); i++) n += i + 1;
    __syncthreads();
    out[threadIdx.x] = n;
}

__global__ void ways(int *out, long long *wide, int limit) {
    __shared__ int part[64];
    int v = limit;
    long long w = limit;
    bool odd = false;
    part[threadIdx.x] = 0;
    if (threadIdx.x % 8 < 3) {
        part[threadIdx.x] = 1;
        v = 2 * limit;
        w = (long long)limit << 40;
        odd = true;
    }
    __syncthreads();
    int sum = part[threadIdx.x ^ 1] + v;
    __syncthreads();
    part[63 - threadIdx.x] = sum;
    __syncthreads();
    out[threadIdx.x] = part[threadIdx.x] + (odd ? 1000 : 0);
    wide[threadIdx.x] = w;
}

// Only whole groups of lanes are inside: the last one parts.
__global__ void guarded(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * 0.5f + i;
}

int main() {
    int *out;
    long long *wide;
    float *f;
    cudaMallocManaged(&out, 64 * sizeof(int));
    cudaMallocManaged(&wide, 64 * sizeof(long long));
    cudaMallocManaged(&f, 200 * sizeof(float));
    turns<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 9; i++) printf("%d ", out[i]);
    ways<<<1, 64>>>(out, wide, 5);
    cudaDeviceSynchronize();
    int sum = 0;
    long long all = 0;
    for (int i = 0; i < 64; i++) sum += out[i] * (i + 1), all ^= wide[i] + i;
    printf("%d %d %d %d %lld\n", out[0], out[2], out[3], sum, all);
    for (int i = 0; i < 200; i++) f[i] = i;
    guarded<<<2, 64>>>(f + 100, f, 99);
    cudaDeviceSynchronize();
    printf("%g %g %g\n", f[100], f[198], f[199]);
    cudaFree(out);
    cudaFree(wide);
    cudaFree(f);
}
