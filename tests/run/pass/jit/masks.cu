// Lanes that run together and differ at branches: what each of them computes is what it would alone.
// run-flags: --engine jit
#include <cstdio>

// Ways that join with values of each kind, in each other, with stores of each width to shared and global memory.
__global__ void ways(const int *in, int *out, double *wide, short *narrow, float *single, long long *big, int n) {
    __shared__ int s[128];
    __shared__ float f[128];
    int i = threadIdx.x + blockIdx.x * blockDim.x, t = threadIdx.x;
    int x = in[i];
    s[t] = x;
    f[t] = x * 0.5f;
    __syncthreads();
    float y = 1.0f;
    double z = 2.0;
    long long l = x;
    short w = 1;
    const int *p = in + t;
    if (x & 1) {
        y = f[(t * 7) & 127] * 3.0f;
        if (x & 2) {
            z = y + x;
            l = s[t ^ 5] * 5LL;
            p = in + (x & 31);
        } else {
            w = (short)(x * 3);
            y = -y;
        }
    } else if (x % 5 == 0) {
        z = 1.0 / (x + 1);
        l = l << 3;
        y = sqrtf((float)(x & 1023));
    }
    __syncthreads();
    if ((x >> 3) & 1) {
        s[t] = x + 1;
        f[t ^ 3] = y;
        wide[i] = z;
        if (n > 100) narrow[i] = w;
        single[i] = f[t ^ 3] + 1.0f;
    } else {
        big[i] = l;
    }
    int sum = 0;
    for (int k = 0; k < 20; k++) {
        int v = in[(i + k * 17) % n];
        if (v > x) sum += v - x;
        else if (v == x) continue;
        else sum -= 1;
        if (v % 11 == 3) sum ^= k;
    }
    __syncthreads();
    out[i] = sum + s[127 - t] + (int)y + (int)z + (int)l + w + *p;
}

// A butterfly: each pair of threads orders two keys.
__global__ void sort(int *data) {
    __shared__ int s[256];
    unsigned t = threadIdx.x;
    s[t] = data[blockIdx.x * 256 + t];
    __syncthreads();
    for (unsigned k = 2; k <= 256; k <<= 1)
        for (unsigned j = k >> 1; j > 0; j >>= 1) {
            unsigned o = t ^ j;
            if (o > t) {
                int a = s[t], b = s[o];
                if ((t & k) == 0 ? a > b : a < b) {
                    s[t] = b;
                    s[o] = a;
                }
            }
            __syncthreads();
        }
    data[blockIdx.x * 256 + t] = s[t];
}

template <class T> long long digest(const T *a, int n) {
    long long sum = 0;
    for (int i = 0; i < n; i++) sum = sum * 31 % 1000003 + (long long)(a[i] * 4);
    return sum;
}

int main() {
    const int n = 512;
    int *in, *out, *keys;
    double *wide;
    short *narrow;
    float *single;
    long long *big;
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&out, n * sizeof *out);
    cudaMallocManaged(&keys, n * sizeof *keys);
    cudaMallocManaged(&wide, n * sizeof *wide);
    cudaMallocManaged(&narrow, n * sizeof *narrow);
    cudaMallocManaged(&single, n * sizeof *single);
    cudaMallocManaged(&big, n * sizeof *big);
    unsigned r = 1;
    for (int i = 0; i < n; i++) {
        r = r * 1103515245u + 12345u;
        in[i] = (int)(r >> 12) & 4095;
        keys[i] = (int)(r >> 8) & 0xffff;
        out[i] = 0, wide[i] = 0, narrow[i] = 0, single[i] = 0, big[i] = 0;
    }
    ways<<<4, 128>>>(in, out, wide, narrow, single, big, n);
    sort<<<2, 256>>>(keys);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    printf("%lld %lld %lld %lld %lld\n", digest(out, n), digest(wide, n), digest(narrow, n), digest(single, n),
           digest(big, n));
    int bad = 0;
    for (int i = 1; i < n; i++) bad += i % 256 && keys[i - 1] > keys[i];
    printf("%d %lld\n", bad, digest(keys, n));
    cudaFree(in), cudaFree(out), cudaFree(keys), cudaFree(wide), cudaFree(narrow), cudaFree(single), cudaFree(big);
}
