// Warp operations in machine code: each lane gets what the others of its warp have, in whichever order lanes run.
// run-flags: --engine jit
#include <cstdio>

const unsigned ALL = 0xffffffff;

__device__ float sum_of_warp(float v) {
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(ALL, v, d);
    return v;
}

// A sum in a block: by all warps, and then by the first one alone.
__global__ void reduce(const float *in, float *out, int n) {
    __shared__ float s[32];
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
    v = sum_of_warp(v);
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    if (lane == 0) s[warp] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / 32 ? s[lane] : 0;
    if (warp == 0) v = sum_of_warp(v);
    if (threadIdx.x == 0) out[blockIdx.x] = v;
}

// Every mode, type and width.
__global__ void modes(const int *in, unsigned long long *out) {
    int i = blockIdx.x * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;
    int x = in[i];
    double d = x * 0.5;
    long long l = x * 5LL;
    unsigned long long s = 0;
    for (int k = 0; k < 3; k++) {
        s = s * 7 + __shfl_sync(ALL, x, k * 3);
        s = s * 7 + __shfl_up_sync(ALL, x, k, 16);
        s = s * 7 + (long long)__shfl_down_sync(ALL, d, k + 1, 8);
        s = s * 7 + __shfl_xor_sync(ALL, l, 1 << k, 4);
        s = s * 7 + (int)__shfl_sync(ALL, x * 0.25f, x, 2);
        s = s * 7 + __shfl_xor_sync(ALL, x, 5, 1);
    }
    s = s * 7 + __shfl_sync(ALL, x, 40) + __shfl_up_sync(ALL, x, 33) + __shfl_sync(ALL, x, -1);
    s = s * 7 + __ballot_sync(ALL, x & 1) + __any_sync(ALL, x == 5) * 2 + __all_sync(ALL, x >= 0) * 4;
    s = s * 7 + __reduce_add_sync(ALL, x) + __reduce_max_sync(ALL, x) + __reduce_min_sync(ALL, (unsigned)x);
    s = s * 7 + __reduce_xor_sync(ALL, (unsigned)x) + __reduce_and_sync(ALL, (unsigned)x | 1);
    out[i] = s;
}

// Lanes part before, between and behind; what is the same for all lanes of a group is not for all of a warp.
__global__ void parted(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x >= 64) {
        // A whole warp leaves.
        out[i] = -1;
        return;
    }
    int x = in[i], group = threadIdx.x / 8;
    for (int j = 0; j < x % 5; j++) x += in[(i + j) % n];
    int a = __shfl_xor_sync(ALL, group, 8);
    if (x & 1) a += x;
    else
        for (int j = 0; j < x % 7; j++) a ^= in[(i * j) % n];
    a += __shfl_down_sync(ALL, a, 3);
    unsigned odd = __ballot_sync(ALL, a & 1);
    if (odd & (1u << (threadIdx.x & 31))) a += __popc(odd);
    __syncwarp();
    int own[4] = {a, x, group, 1};
    own[x & 3] = __shfl_up_sync(ALL, own[a & 3], 2);
    out[i] = own[0] + own[1] * 3 + own[2] * 5 + own[3] * 7;
}

template <class T> T *room(int n) {
    T *p;
    cudaMallocManaged(&p, n * sizeof(T));
    for (int i = 0; i < n; i++) p[i] = i * 7919 % 1013;
    return p;
}

int main() {
    const int n = 3 * 96;
    float *single = room<float>(n), *sums = room<float>(3);
    int *in = room<int>(n), *out = room<int>(n);
    auto *wide = room<unsigned long long>(n);
    reduce<<<3, 96>>>(single, sums, n);
    modes<<<3, dim3(8, 12)>>>(in, wide);
    parted<<<3, 96>>>(in, out, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < 3; i++) printf("%g ", sums[i]);
    unsigned long long all = 0;
    for (int i = 0; i < n; i++) all = all * 31 + wide[i];
    printf("%llu ", all);
    for (int i = 0; i < n; i++) all = all * 31 + out[i];
    printf("%llu\n", all);
    cudaFree(single), cudaFree(sums), cudaFree(in), cudaFree(out), cudaFree(wide);
}
