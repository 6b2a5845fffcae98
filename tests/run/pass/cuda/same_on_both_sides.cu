// Functions for both sides: C in all its forms gives the same on the host and in each thread of a kernel.
#include <stdio.h>
#include <string.h>

struct Pair { short a; long b; };
union Word { float f; unsigned u; unsigned char c[4]; };
struct Bits { unsigned low : 5; int mid : 7; unsigned high : 20; };

__host__ __device__ static unsigned mix(unsigned h, unsigned v) { return (h ^ v) * 16777619u + (h >> 13); }

__host__ __device__ static int collatz(int n) {
    int steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        if (++steps > 500) break;
    }
    return steps;
}

__host__ __device__ static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__host__ __device__ static unsigned switches(int n) {
    unsigned h = 7;
    for (int i = 0; i < 10; ++i) {
        switch ((n + i) % 6) {
        case 0: h += 1;
        case 1: h *= 3; break;
        case 2: continue;
        case 4: if (h % 2) goto out; h += 100; break;
        default: h ^= i;
        }
        h = mix(h, i);
    }
out:
    return h;
}

__host__ __device__ static Pair swap(Pair p) {
    Pair q = {(short)p.b, p.a};
    return q;
}

__host__ __device__ static int twice(int x) { return 2 * x; }
__host__ __device__ static int square(int x) { return x * x; }

__host__ __device__ static unsigned everything(int seed) {
    unsigned h = 2166136261u;
    h = mix(h, collatz(seed + 1));
    h = mix(h, fibonacci(seed % 10));
    h = mix(h, switches(seed));
    int local[8];
    for (int i = 0; i < 8; ++i) local[i] = seed * i - (i << 2);
    int *end = local + 8;
    for (int *p = local; p != end; ++p) h = mix(h, (unsigned)*p);
    Pair p = {(short)seed, 1000L * seed};
    p = swap(p);
    h = mix(h, (unsigned)(p.a + p.b));
    Word w;
    w.f = seed / 3.0f;
    h = mix(h, w.u);
    h = mix(h, w.c[1]);
    Bits b = {(unsigned)seed, seed - 20, (unsigned)seed * 1000u};
    b.low += 3;
    b.mid -= 5;
    h = mix(h, b.low + b.mid * 8 + b.high);
    int (*f)(int) = seed % 2 ? twice : square;
    h = mix(h, f(seed));
    unsigned char small = (unsigned char)(seed * 77);
    small >>= 1;
    signed char sc = (signed char)(seed * 37);
    h = mix(h, small * sc);
    long long wide = (long long)seed * 0x123456789LL;
    h = mix(h, (unsigned)(wide >> 17) ^ (unsigned)(wide % 1000003));
    double d = seed * 0.1 + 1.5;
    float g = (float)d * 1.25f;
    h = mix(h, (unsigned)(d * 1000) + (unsigned)(g * 100));
    h = mix(h, d < g ? 1 : d == g ? 2 : 3);
    char text[12] = "thread";
    text[6] = (char)('0' + seed % 10);
    for (const char *c = text; *c; ++c) h = mix(h, *c);
    int matrix[3][3] = {{1, seed}, {0, 2, seed}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) h = mix(h, matrix[i][j] + matrix[j][i] * 3);
    int x = seed, y = (x++, x * 2), z = x > y ? x : y;
    h = mix(h, x + y * z);
    bool flag = seed > 5 && seed < 20 || seed == 3;
    h = mix(h, flag + (!flag << 1));
    do {
        h = mix(h, x);
        x -= 3;
    } while (x > 0);
    return h;
}

__global__ void kernel(unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = everything(i);
}

int main() {
    const int count = 96;
    unsigned *dev, device[count];
    cudaMalloc(&dev, sizeof device);
    kernel<<<3, 32>>>(dev);
    cudaMemcpy(device, dev, sizeof device, cudaMemcpyDeviceToHost);
    cudaFree(dev);
    int wrong = 0;
    unsigned all = 0;
    for (int i = 0; i < count; ++i) {
        unsigned host = everything(i);
        if (host != device[i]) {
            if (!wrong++) printf("thread %d: host %08x, device %08x\n", i, host, device[i]);
        }
        all = mix(all, host);
    }
    printf("%d wrong, %08x\n", wrong, all);
    return wrong != 0;
}
