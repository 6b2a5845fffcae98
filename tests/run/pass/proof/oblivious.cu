// Kernels whose ways and addresses hang on no data: one run of a launch proves it for every content of memory.
// by-run: add proved
// by-run: matmul proved
// by-run: reduce proved
// by-run: bounded proved
// by-run: passed proved
// by-run: own proved
// by-run: warp proved
// by-run: counted proved
// by-run: prints proved
// by-run: outlined proved
// by-run: recursive proved
// by-run: shifts proved
// by-run: stated proved
// by-run: strings proved
#include <cassert>
#include <cstdio>

__global__ void add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = sinf(a[i]) + b[i];
}

__global__ void matmul(const float *a, const float *b, float *c, int n) {
    __shared__ float ta[8][8], tb[8][8];
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    float sum = 0;
    for (int t = 0; t < n / 8; t++) {
        ta[threadIdx.y][threadIdx.x] = a[y * n + t * 8 + threadIdx.x];
        tb[threadIdx.y][threadIdx.x] = b[(t * 8 + threadIdx.y) * n + x];
        __syncthreads();
        for (int k = 0; k < 8; k++) sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

__global__ void reduce(const int *in, int *out) {
    __shared__ int box[64];
    int t = threadIdx.x;
    box[t] = in[blockIdx.x * blockDim.x + t];
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        __syncthreads();
        if (t < s) box[t] += box[t + s];
    }
    // The result of the operation is nobody's business.
    if (t == 0) atomicAdd(out, box[0]);
}

__global__ void bounded(int *p, int from, int to, int step) {
    for (int i = from + threadIdx.x; i < to; i += step) p[i] = 2 * p[i];
}

struct Rows {
    int *start[2];
    int length;
};

// What a launch passes is fixed with it, pointers in an aggregate among it.
__global__ void passed(Rows rows) {
    int i = threadIdx.x;
    if (i < rows.length) rows.start[i & 1][i] += 1;
}

// A variable of the thread's own comes of what is stored there.
__global__ void own(int *p) {
    int order[4];
    for (int k = 0; k < 4; k++) order[k] = (k + threadIdx.x) & 3;
    for (int k = 0; k < 4; k++) p[4 * threadIdx.x + order[k]] = k;
}

__global__ void warp(int *p) {
    int v = p[threadIdx.x];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    unsigned even = __ballot_sync(0xffffffff, threadIdx.x % 2 == 0);
    if (even >> threadIdx.x & 1) p[threadIdx.x] = v;
    __syncwarp();
    p[threadIdx.x ^ 1] = v;
}

// How many threads there are behind a condition of indices.
__global__ void counted(int *p) {
    int n = __syncthreads_count(threadIdx.x < 10);
    if (threadIdx.x < n) p[threadIdx.x] = n;
}

__global__ void prints(const int *p) {
    if (threadIdx.x == 0) printf("%d, 100%% so, %-5.2f\n", p[0] - p[0], 1.5f);
}

__device__ __noinline__ void put(int *p, int i, int v) { p[i] = v; }
__device__ __noinline__ int twice(int i) { return 2 * i; }
__global__ void outlined(int *p) { put(p, twice(threadIdx.x), p[1 + twice(threadIdx.x)]); }

__device__ __noinline__ int below(int *p, int n, int v) {
    if (n == 0) return v;
    p[32 * n + threadIdx.x] = v;
    return below(p, n - 1, v + p[threadIdx.x]);
}
__global__ void recursive(int *p, int depth) { p[threadIdx.x] = below(p, depth, 0); }

// A divisor that is not zero whatever memory holds; a shift is defined as hardware has it.
__global__ void shifts(int *p) { p[threadIdx.x] = p[threadIdx.x] / 3 + (p[threadIdx.x] & 7) % (blockDim.x + 1); }

// An assumption and an assertion that hang on the launch alone hold, as the run has seen.
__global__ void stated(int *p, int n) {
    __builtin_assume(n > 0);
    assert(n >= blockDim.x);
    p[threadIdx.x] = n;
}

__global__ void strings(char *p) { p[threadIdx.x] = "0123456789abcdef"[threadIdx.x & 15]; }

int main() {
    const int n = 16;
    int *p;
    cudaMalloc(&p, 4096 * sizeof(int));
    cudaMemset(p, 0, 4096 * sizeof(int));
    float *f = reinterpret_cast<float *>(p);
    add<<<2, 32>>>(f, f + 64, f + 128, 50);
    matmul<<<dim3(2, 2), dim3(8, 8)>>>(f, f + 256, f + 512, n);
    reduce<<<2, 64>>>(p, p + 1000);
    reduce<<<4, 32>>>(p, p + 1000);
    bounded<<<1, 32>>>(p, 100, 300, 32);
    passed<<<1, 32>>>(Rows{{p, p + 64}, 20});
    own<<<1, 32>>>(p);
    warp<<<1, 32>>>(p);
    counted<<<1, 64>>>(p);
    outlined<<<1, 32>>>(p);
    recursive<<<1, 32>>>(p, 5);
    shifts<<<1, 32>>>(p);
    stated<<<1, 32>>>(p, 100);
    strings<<<1, 32>>>(reinterpret_cast<char *>(p));
    prints<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    cudaFree(p);
    return 0;
}
