// Lanes that a condition leaves out, and all behind them: what they would have done is done all the same, be it once for the block, and
// lanes that have something to do again are run. Each sum is told by the host, too.
// run-flags: --engine jit
#include <cstdio>

__device__ int acts(int how, int t, int d) {
    switch (how) {
    case 0: return t < d;
    case 1: return t >= d;
    case 2: return t == d;
    case 3: return t != d;
    case 4: return d > 2 * t + 1;
    case 5: return (t & 31) < d;
    case 6: return 40 - t > d;
    case 7: return t + 8 < 2 * t - d;
    default: return t % 3 == d % 3;
    }
}

// The branch comes first in the region, behind which what the block has in common goes on.
template <int HOW> __global__ void halves(int *out) {
    __shared__ int s[100];
    int t = threadIdx.x, turns = 0;
    s[t] = t;
    for (int d = 50; d > 0; d >>= 1) {
        __syncthreads();
        if (acts(HOW, t, d)) s[t] += d;
        turns += 3;
    }
    __syncthreads();
    out[t] = s[t] + turns;
}

// Groups that have nothing to do before the barrier have something behind it, and the other way round; a value that differs between
// threads lives on.
__global__ void twice(int *out, int n) {
    __shared__ int s[100];
    int t = threadIdx.x, mine = 7;
    s[t] = 0;
    for (int d = 0; d < n; d++) {
        __syncthreads();
        if (t < 8 * d) s[t] += 1;
        __syncthreads();
        if (t >= 8 * d) mine += s[99 - t];
    }
    __syncthreads();
    if (t > 90) return;
    out[t] = s[t] * 100 + mine;
}

// Two of the block's values in turn: a group goes on with those of the last barrier when another has come to the next one.
__global__ void fibonacci(int *out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x, a = 0, b = 1;
    s[t] = 0;
    for (int i = 0; i < n; i++) {
        __syncthreads();
        int c = a + b;
        a = b;
        b = c;
        if (t == i) s[t] = a;
        if (t % 5 == i % 5) s[t] += b;
    }
    __syncthreads();
    out[t] = s[63 - t] + a - b;
}

// Rows of a block of two dimensions begin anew.
__global__ void rows(int *out, int d) {
    __shared__ int s[64];
    int t = threadIdx.x + threadIdx.y * blockDim.x;
    s[t] = 1;
    __syncthreads();
    if (threadIdx.x < d) s[t] += t;
    __syncthreads();
    if (threadIdx.y < d) s[t] += 100;
    __syncthreads();
    out[t] = s[t];
}

static int *out;

static long long sum(int n) {
    cudaDeviceSynchronize();
    long long all = 0;
    for (int i = 0; i < n; i++) all = all * 7 % 1000003 + out[i];
    return all;
}

static int told(int how, int t, int d) {
    int is[] = {t < d, t >= d, t == d, t != d, d > 2 * t + 1, (t & 31) < d, 40 - t > d, t + 8 < 2 * t - d, t % 3 == d % 3};
    return is[how];
}

template <int HOW> static void check() {
    halves<HOW><<<1, 100>>>(out);
    long long mine = 0;
    for (int t = 0; t < 100; t++) {
        int s = t, turns = 0;
        for (int d = 50; d > 0; d >>= 1) s += told(HOW, t, d) ? d : 0, turns += 3;
        mine = mine * 7 % 1000003 + s + turns;
    }
    printf("%d: %s\n", HOW, sum(100) == mine ? "as told" : "other");
}

int main() {
    cudaMallocManaged(&out, 100 * sizeof(int));
    check<0>(), check<1>(), check<2>(), check<3>(), check<4>(), check<5>(), check<6>(), check<7>(), check<8>();
    for (int i = 0; i < 100; i++) out[i] = 0;
    twice<<<1, 100>>>(out, 14);
    printf("%lld\n", sum(100));
    fibonacci<<<1, 64>>>(out, 20);
    printf("%lld\n", sum(64));
    rows<<<1, dim3(16, 4)>>>(out, 3);
    printf("%lld\n", sum(64));
    cudaFree(out);
}
