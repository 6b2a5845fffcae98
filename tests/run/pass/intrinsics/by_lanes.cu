// Operations for which vectors have no instruction, in all lanes, in some, and with an operand that all lanes share: they agree with what
// the host computes in another way.
// revisions: vm jit
// run-flags[vm]: --engine vm
// run-flags[jit]: --engine jit
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define N 12288

static __host__ __device__ float number(unsigned bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static __host__ __device__ unsigned bits_of(float x) {
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

struct Out {
    unsigned zeros, sign, own_sign, rest, own_rest, short_rest;
    unsigned long long high, own_high, narrow_high, integer, natural;
    long long signed_high, own_signed_high;
    int size;
    long long wide_size;
};

__global__ void all(const unsigned *x, const unsigned *y, Out *out, float b, unsigned long long w, int part) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned u = x[i], v = y[i];
    unsigned long long p = (unsigned long long)u << 32 | v, q = (unsigned long long)v << 32 | ~u;
    // Some lanes alone, and then the others.
    if (part < 2 && (i * 7 & 1) != part)
        return;
    float f = number(u), g = number(v);
    Out o;
    o.zeros = __clz(u >> (v & 31));
    o.sign = bits_of(copysignf(1.5f, f));
    o.own_sign = bits_of(copysignf(f, g));
    o.rest = bits_of(fmodf(f, b));
    o.own_rest = bits_of(fmodf(f, g));
    o.short_rest = bits_of(fmodf((float)(v & 4095), 7.5f));
    o.high = __umul64hi(p, 0x9e3779b97f4a7c15ull);
    o.own_high = __umul64hi(p, q);
    o.narrow_high = (unsigned long long)((unsigned __int128)u * (p ^ w) >> 64);
    o.signed_high = __mul64hi((long long)p, -0x61c8864680b583ebll);
    o.own_signed_high = __mul64hi((long long)p, (long long)q);
    o.integer = fabsf(f) < 9e18f ? (unsigned long long)(long long)f : 7;
    o.natural = f > -1 && f < 1.8e19f ? (unsigned long long)f : 7;
    o.size = abs((int)u);
    o.wide_size = llabs((long long)p);
    out[i] = o;
}

// By bits, by hand, and by parts.
static unsigned zeros(unsigned x) {
    unsigned n = 0;
    while (n < 32 && !(x >> (31 - n) & 1)) n++;
    return n;
}

static unsigned long long high(unsigned long long a, unsigned long long b) {
    unsigned long long al = (unsigned)a, ah = a >> 32, bl = (unsigned)b, bh = b >> 32;
    unsigned long long low = al * bl, one = ah * bl + (low >> 32), two = al * bh + (unsigned)one;
    return ah * bh + (one >> 32) + (two >> 32);
}

static unsigned long long signed_high(unsigned long long a, unsigned long long b) {
    return high(a, b) - ((long long)a < 0 ? b : 0) - ((long long)b < 0 ? a : 0);
}

// Long division: the device has one NaN.
static unsigned rest(float f, float g) {
    if (f != f || g != g || std::isinf(f) || g == 0)
        return 0x7fffffff;
    double a = fabs((double)f), b = fabs((double)g);
    if (!std::isinf(g)) {
        double step = b;
        while (step <= a / 2) step *= 2;
        for (; step >= b; step /= 2)
            if (a >= step)
                a -= step;
    }
    return bits_of((float)a) | (bits_of(f) & 0x80000000u);
}

static unsigned long long integer(unsigned bits) {
    int shift = (int)(bits >> 23 & 255) - 150;
    unsigned long long m = (bits & 0x7fffff) | 0x800000, n = shift >= 0 ? m << shift : shift > -24 ? m >> -shift : 0;
    return bits >> 31 ? 0 - n : n;
}

static int check(const unsigned *x, const unsigned *y, const Out *out, float b, unsigned long long w, int part) {
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        if (part < 2 && (i * 7 & 1) != part)
            continue;
        unsigned u = x[i], v = y[i];
        unsigned long long p = (unsigned long long)u << 32 | v, q = (unsigned long long)v << 32 | ~u;
        float f = number(u), g = number(v);
        const Out &o = out[i];
        bool fine[] = {
            o.zeros == zeros(u >> (v & 31)),
            o.sign == (0x3fc00000u | (u & 0x80000000u)),
            o.own_sign == ((u & 0x7fffffffu) | (v & 0x80000000u)),
            o.rest == rest(f, b),
            o.own_rest == rest(f, g),
            o.short_rest == rest((float)(v & 4095), 7.5f),
            o.high == high(p, 0x9e3779b97f4a7c15ull),
            o.own_high == high(p, q),
            o.narrow_high == high(u, p ^ w),
            (unsigned long long)o.signed_high == signed_high(p, 0x9e3779b97f4a7c15ull),
            (unsigned long long)o.own_signed_high == signed_high(p, q),
            o.integer == (fabsf(f) < 9e18f ? integer(u) : 7),
            (unsigned)o.size == (u >> 31 ? 0 - u : u),
            (unsigned long long)o.wide_size == (u >> 31 ? 0 - p : p),
            o.natural == (f > -1 && f < 1.8e19f ? integer(u) : 7),
        };
        for (unsigned k = 0; k < sizeof fine; k++)
            if (!fine[k] && wrong++ < 5)
                printf("part %d, lane %d, operation %u: %08x %08x\n", part, i, k, u, v);
    }
    return wrong;
}

int main() {
    const unsigned special[] = {0,          1,          0x007fffff, 0x00800000, 0x33800000, 0x3effffff, 0x3f7fffff, 0x3f800000,
                                0x40f00000, 0x4b000001, 0x4f000000, 0x587fffff, 0x58800000, 0x5effffff, 0x7f7fffff, 0x7f800000,
                                0x7fc00001, 0x41200000, 0x4b7fffff, 0x3dcccccd, 0x3e4ccccd, 0x4e800000, 0x59000001, 0x2edbe6ff};
    static unsigned hx[N], hy[N];
    unsigned state = 12345;
    for (int i = 0; i < N; i++) {
        // Sixteen lanes side by side have the same: what one of them is decides how all are computed.
        unsigned a = special[i / 16 % 24], b = special[i / 16 / 24 % 24];
        unsigned sign = (unsigned)i * 40503u;
        hx[i] = a | (sign & 1u << 31);
        hy[i] = b | (sign << 1 & 1u << 31);
        if (i >= 9216) {
            // Of like sizes and of any.
            hx[i] = i == 9300 ? 0x80000000u : (state = state * 1664525u + 1013904223u);
            hy[i] = (state = state * 1664525u + 1013904223u);
            if (i & 1) hx[i] = (hx[i] & 0x87ffffffu) | 0x40000000u;
            if (i & 2) hy[i] = (hy[i] & 0x87ffffffu) | 0x38000000u;
        }
    }
    unsigned *x, *y;
    Out *out;
    static Out back[N];
    cudaMalloc(&x, sizeof hx);
    cudaMalloc(&y, sizeof hy);
    cudaMalloc(&out, sizeof back);
    cudaMemcpy(x, hx, sizeof hx, cudaMemcpyHostToDevice);
    cudaMemcpy(y, hy, sizeof hy, cudaMemcpyHostToDevice);
    int wrong = 0;
    for (int part = 0; part < 3; part++) {
        float b = part ? 0.1f : -3.0f;
        cudaMemset(out, 0, sizeof back);
        all<<<N / 128, 128>>>(x, y, out, b, 0xfedcba9876543210ull, part);
        cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
        wrong += check(hx, hy, back, b, 0xfedcba9876543210ull, part);
    }
    printf("%d wrong\n", wrong);
    cudaFree(x);
    cudaFree(y);
    cudaFree(out);
    return wrong != 0;
}
