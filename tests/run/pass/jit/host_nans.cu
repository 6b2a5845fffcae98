// Of two NaNs, what an operation gives is told by the order of its operands: machine code leaves it to the bytecode, wherever in a loop
// they meet.
// run-flags: --engine jit
#include <cstdio>
#include <cstring>

static float narrow(unsigned bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double wide(unsigned long long bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

template <typename T> __attribute__((noinline)) static void combine(const T *a, const T *b, T *d, int n) {
    for (int i = 0; i < n; i++) {
        T x = a[i], y = b[i];
        d[12 * i] = b[i] - a[i];
        d[12 * i + 1] = a[i] - b[i];
        d[12 * i + 2] = a[i] / b[i];
        d[12 * i + 3] = b[i] / a[i];
        d[12 * i + 4] = b[i] + a[i];
        d[12 * i + 5] = a[i] + b[i];
        d[12 * i + 6] = a[i] * b[i];
        d[12 * i + 7] = b[i] * a[i];
        // Sums of a product, and operands that are loaded or in variables.
        d[12 * i + 8] = a[i] * y + x * b[i];
        d[12 * i + 9] = y + a[i];
        d[12 * i + 10] = y * a[i] + x;
        d[12 * i + 11] = 2 * x + b[i] * 3;
    }
}

template <typename T> static unsigned long long hash(const T *d, int n) {
    unsigned long long h = 0;
    const unsigned char *bytes = (const unsigned char *)d;
    for (size_t i = 0; i < n * sizeof(T); i++) h = h * 1099511628211u + bytes[i];
    return h;
}

int main() {
    const int n = 64;
    float a[n], b[n], d[12 * n];
    double aw[n], bw[n], dw[12 * n];
    for (int i = 0; i < n; i++) {
        // Quiet ones with payloads and both signs; one, the other, both, none.
        a[i] = i & 1 ? narrow(0x7fc00000u | i << 8 | (unsigned)(i & 4) << 29) : i + 1;
        b[i] = i & 2 ? narrow(0xffc00000u ^ (unsigned)(i & 8) << 28 | i << 4) : i + 2;
        aw[i] = i & 1 ? wide(0x7ff8000000000000u | i << 8) : i + 1;
        bw[i] = i & 2 ? wide(0xfff8000000000000u | i << 4) : i + 2;
    }
    combine(a, b, d, n);
    combine(aw, bw, dw, n);
    for (int k = 36; k < 48; k++) {
        unsigned bits;
        memcpy(&bits, d + k, sizeof bits);
        printf("%08x ", bits);
    }
    printf("%016llx %016llx\n", hash(d, 12 * n), hash(dw, 12 * n));
    return 0;
}
