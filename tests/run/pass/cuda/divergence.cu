// Divergent control flow of every kind; each thread ends with what it computes alone.
#include <stdio.h>

__host__ __device__ int walk(int t) {
    int v = t;
    for (int i = 0; i < t % 7; ++i) {
        if (i == 3) continue;
        v += i;
        for (int j = i; j < t; j += 5) {
            if (j == 11) break;
            v ^= j;
            while (v % 3 == 0) {
                v += 1;
                if (v > 1000) return v;
            }
        }
    }
    switch (t & 7) {
    case 0: v += 1; break;
    case 1:
    case 2: v *= 2;
    case 3: v -= 3; break;
    case 6:
        if (t > 30) return -t;
    default: v = -v;
    }
    do {
        v = v / 2 + t / 4;
    } while (v > 100 + t);
    int k = t % 5;
again:
    v += k;
    if (--k > 0) goto again;
    return t % 4 == 0 && v % 2 ? v : v > 10 || t < 3 ? v * 3 : v - 7;
}

__device__ int depth(int t) { return t <= 0 ? 0 : 1 + depth(t - 1 - t % 3); }
__host__ int host_depth(int t) { return t <= 0 ? 0 : 1 + host_depth(t - 1 - t % 3); }

__global__ void kernel(int *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int v = walk(t);
    out[2 * t] = v;
    if (t % 3 == 1) {
        out[2 * t + 1] = depth(t);
        return;
    }
    out[2 * t + 1] = -depth(t / 2);
}

int main() {
    const int count = 300;
    int *dev, host[2 * count], wrong = 0;
    cudaMalloc(&dev, sizeof host);
    kernel<<<3, 100>>>(dev);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
    for (int t = 0; t < count; ++t) {
        int expected = t % 3 == 1 ? host_depth(t) : -host_depth(t / 2);
        if (host[2 * t] != walk(t) || host[2 * t + 1] != expected) {
            if (!wrong++) printf("%d: %d %d, not %d %d\n", t, host[2 * t], host[2 * t + 1], walk(t), expected);
        }
    }
    printf("%d wrong\n", wrong);
    cudaFree(dev);
    return wrong != 0;
}
