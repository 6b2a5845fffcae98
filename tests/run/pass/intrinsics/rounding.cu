// Arithmetic and conversions in the four rounding modes, each function on the device against exact arithmetic on the
// host: numbers are a sign, an integer of up to 128 bits, a power of two and whether something smaller was cut off.
#include <cstdio>
#include <cstring>

typedef unsigned long long u64;
typedef unsigned __int128 u128;
const int TRIES = 512;

enum Mode { rn, rz, ru, rd };

// The binary format with a precision of P bits (the hidden one among them) and `bias`.
template <typename T> struct Format;
template <> struct Format<float> {
    typedef unsigned int Bits;
    static const int P = 24, BIAS = 127;
};
template <> struct Format<double> {
    typedef u64 Bits;
    static const int P = 53, BIAS = 1023;
};
template <typename T> __host__ __device__ T from_bits(u64 bits) {
    typename Format<T>::Bits b = (typename Format<T>::Bits)bits;
    T x;
    memcpy(&x, &b, sizeof x);
    return x;
}
template <typename T> u64 to_bits(T x) {
    typename Format<T>::Bits b;
    memcpy(&b, &x, sizeof b);
    return b;
}

int length(u128 m) {
    int n = 0;
    for (int step = 64; step > 0; step /= 2)
        if (m >> step) {
            m >>= step;
            n += step;
        }
    return n + (m != 0);
}

// negative * (m + [0 < something < 1 if rest]) * 2^e
struct Exact {
    bool negative;
    u128 m;
    int e;
    bool rest;
};
template <typename T> Exact exact(T x) {
    const int P = Format<T>::P;
    u64 bits = to_bits(x), fraction = bits & ((1ull << (P - 1)) - 1);
    int field = (int)(bits >> (P - 1)) & (2 * Format<T>::BIAS + 1);
    bool negative = bits >> (8 * sizeof(T) - 1) != 0;
    return {negative, field ? fraction | 1ull << (P - 1) : fraction, (field ? field : 1) - Format<T>::BIAS - P + 1, false};
}
// The integer part in a mode, with what was cut off between 0 and 1: `half` says how it lies to one half (-1, 0, 1).
bool away(Mode mode, bool negative, bool odd, bool any, int half) {
    switch (mode) {
    case rn: return half > 0 || (half == 0 && any && odd);
    case rz: return false;
    case ru: return any && !negative;
    default: return any && negative;
    }
}
// m and rest, shifted by n to the right, rounded.
u128 shifted(const Exact& x, int n, Mode mode) {
    if (n <= 0)
        return x.m << -n;
    u128 kept = n > 127 ? 0 : x.m >> n, cut = n > 127 ? x.m : x.m & (((u128)1 << n) - 1);
    u128 middle = n > 127 ? 0 : (u128)1 << (n - 1);
    int half = n > 127 || cut < middle ? -1 : cut > middle || x.rest ? 1 : 0;
    return kept + away(mode, x.negative, (kept & 1) != 0, cut != 0 || x.rest, half);
}
template <typename T> T rounded(const Exact& x, Mode mode) {
    const int P = Format<T>::P, BIAS = Format<T>::BIAS;
    u64 sign = (u64)x.negative << (8 * sizeof(T) - 1);
    int least = 2 - BIAS - P, q = x.e + length(x.m) - P;
    if (q < least)
        q = least;
    u128 m = shifted(x, q - x.e, mode);
    if (m >> P) {
        m >>= 1;
        q++;
    }
    if (q > BIAS - P + 1) {
        bool infinite = mode == rn || mode == (x.negative ? rd : ru);
        u64 infinity = (u64)(2 * BIAS + 1) << (P - 1);
        return from_bits<T>(sign | (infinite ? infinity : infinity - 1));
    }
    u64 field = (u64)(m >> (P - 1) ? q - least + 1 : 0);
    return from_bits<T>(sign | field << (P - 1) | ((u64)m & ((1ull << (P - 1)) - 1)));
}

// Sums: both with their upper bit at 2^124, the smaller one shifted.
Exact sum(Exact a, Exact b, Mode mode) {
    if (a.m == 0 && b.m == 0)
        return {a.negative == b.negative ? a.negative : mode == rd, 0, 0, false};
    if (a.m == 0)
        return b;
    if (b.m == 0)
        return a;
    int na = 124 - length(a.m), nb = 124 - length(b.m);
    a.m <<= na, a.e -= na, b.m <<= nb, b.e -= nb;
    if (a.e < b.e || (a.e == b.e && a.m < b.m)) {
        Exact t = a;
        a = b;
        b = t;
    }
    int d = a.e - b.e;
    bool cut = d > 124 ? true : (b.m & (((u128)1 << d) - 1)) != 0;
    b.m = d > 124 ? 0 : b.m >> d;
    if (a.negative == b.negative)
        return {a.negative, a.m + b.m, a.e, cut};
    u128 m = a.m - b.m - cut;
    return {m == 0 && !cut ? mode == rd : a.negative, m, a.e, cut};
}
Exact product(const Exact& a, const Exact& b) { return {a.negative != b.negative, a.m * b.m, a.e + b.e, false}; }
Exact quotient(const Exact& a, const Exact& b) {
    int n = 127 - length(a.m);
    u128 m = a.m << n;
    return {a.negative != b.negative, m / b.m, a.e - n - b.e, m % b.m != 0};
}
Exact root(Exact a) {
    int n = (126 - length(a.m)) & ~1;
    if ((a.e - n) & 1)
        n--;
    u128 m = a.m << n, r = 0;
    for (int k = 63; k >= 0; k--) {
        u128 t = r | (u128)1 << k;
        if (t * t <= m)
            r = t;
    }
    return {false, r, (a.e - n) / 2, r * r != m || a.rest};
}

// Operands: extremes against each other, numbers next to each other, then whatever comes; all finite.
template <typename T> __host__ __device__ T operand(unsigned int i, unsigned int salt) {
    const int P = Format<T>::P;
    u64 x = (i + 1) * 0x9e3779b97f4a7c15ull + salt * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    x ^= x >> 31;
    const u64 ONE = (u64)Format<T>::BIAS << (P - 1), MOST = ((u64)(2 * Format<T>::BIAS + 1) << (P - 1)) - 1;
    u64 sign = (x >> 63) << (8 * sizeof(T) - 1);
    const u64 special[8] = {0, 1, 1ull << (P - 1), MOST, ONE, ONE - 1, ONE + 1, (1ull << (P - 1)) - 1};
    if (i < 128)
        return from_bits<T>(special[(salt == 1 ? i : salt == 2 ? i / 8 : i / 3) % 8] | ((i >> (salt + 3)) & 1 ? sign : 0));
    u64 field = i % 4 == 0 ? (x >> 52) % (2 * Format<T>::BIAS) : Format<T>::BIAS - 4 + (x >> 52) % 8 + (i % 4 == 1) * 20;
    u64 fraction = x & ((1ull << (P - 1)) - 1);
    if (i % 5 == 0)
        fraction &= ~((1ull << (P / 2)) - 1);
    return from_bits<T>(sign | field << (P - 1) | fraction);
}

#define MODES(F, ...) F(rn, __VA_ARGS__) F(rz, __VA_ARGS__) F(ru, __VA_ARGS__) F(rd, __VA_ARGS__)

template <typename T> struct Results {
    T add[4], sub[4], mul[4], fma[4], div[4], rcp[4], sqrt[4], rsqrt;
    T of_int[4], of_uint[4], of_ll[4], of_ull[4];
    int to_int[4];
    unsigned int to_uint[4];
    long long to_ll[4];
    u64 to_ull[4];
    float narrow[4];
};

__global__ void device(Results<float>* out, Results<double>* wide) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    {
        float a = operand<float>(i, 1), b = operand<float>(i, 2), c = operand<float>(i, 3);
        u64 n = __double_as_longlong(operand<double>(i, 4)) ^ (u64)i << 40;
        n >>= i % 50;
        Results<float>& r = out[i];
#define F(M, _)                                                                                        \
    r.add[M] = __fadd_##M(a, b);                                                                       \
    r.sub[M] = __fsub_##M(a, b);                                                                       \
    r.mul[M] = __fmul_##M(a, b);                                                                       \
    r.fma[M] = __fmaf_##M(a, b, c);                                                                    \
    r.div[M] = __fdiv_##M(a, b);                                                                       \
    r.rcp[M] = __frcp_##M(a);                                                                          \
    r.sqrt[M] = __fsqrt_##M(fabsf(a));                                                                 \
    r.of_int[M] = __int2float_##M((int)n);                                                             \
    r.of_uint[M] = __uint2float_##M((unsigned int)n);                                                  \
    r.of_ll[M] = __ll2float_##M((long long)n);                                                         \
    r.of_ull[M] = __ull2float_##M(n);                                                                  \
    r.to_int[M] = __float2int_##M(a);                                                                  \
    r.to_uint[M] = __float2uint_##M(a);                                                                \
    r.to_ll[M] = __float2ll_##M(a);                                                                    \
    r.to_ull[M] = __float2ull_##M(a);
        MODES(F, )
#undef F
        r.rsqrt = __frsqrt_rn(fabsf(a));
    }
    {
        double a = operand<double>(i, 1), b = operand<double>(i, 2), c = operand<double>(i, 3);
        u64 n = __double_as_longlong(operand<double>(i, 4)) ^ (u64)i << 40;
        n >>= i % 50;
        Results<double>& r = wide[i];
#define F(M, _)                                                                                        \
    r.add[M] = __dadd_##M(a, b);                                                                       \
    r.sub[M] = __dsub_##M(a, b);                                                                       \
    r.mul[M] = __dmul_##M(a, b);                                                                       \
    r.fma[M] = __fma_##M(a, b, c);                                                                     \
    r.div[M] = __ddiv_##M(a, b);                                                                       \
    r.rcp[M] = __drcp_##M(a);                                                                          \
    r.sqrt[M] = __dsqrt_##M(fabs(a));                                                                  \
    r.of_ll[M] = __ll2double_##M((long long)n);                                                        \
    r.of_ull[M] = __ull2double_##M(n);                                                                 \
    r.to_int[M] = __double2int_##M(a);                                                                 \
    r.to_uint[M] = __double2uint_##M(a);                                                               \
    r.to_ll[M] = __double2ll_##M(a);                                                                   \
    r.to_ull[M] = __double2ull_##M(a);                                                                 \
    r.narrow[M] = __double2float_##M(a);
        MODES(F, )
#undef F
        r.of_int[rn] = __int2double_rn((int)n);
        r.of_uint[rn] = __uint2double_rn((unsigned int)n);
    }
}

struct Tally {
    const char* name;
    u64 digest;
    int wrong;
    template <typename T> void compare(Mode mode, T got, T expected, unsigned int i) {
        u64 g = 0, x = 0;
        memcpy(&g, &got, sizeof got);
        memcpy(&x, &expected, sizeof expected);
        digest = (digest ^ g) * 1099511628211ull;
        if (g != x && wrong++ == 0)
            printf("%s mode %d, operands %u: %llx, not %llx\n", name, (int)mode, i, g, x);
    }
};

// An integer of `bits` bits of a number: rounded, then the nearest there is.
template <typename T> u64 integer(T x, int bits, bool sign, Mode mode) {
    Exact v = exact(x);
    u128 most = ((u128)1 << (bits - sign)) - 1, least = sign ? (u128)1 << (bits - 1) : 0;
    u128 m = v.e > 64 ? (v.m ? (u128)1 << 100 : 0) : shifted(v, -v.e, mode);
    return v.negative ? 0 - (u64)(m > least ? least : m) : (u64)(m > most ? most : m);
}
template <typename T> T number(u64 n, bool sign, Mode mode) {
    bool negative = sign && n >> 63;
    return rounded<T>({negative, negative ? 0 - n : n, 0, false}, mode);
}

template <typename T> void check(const char* type, const Results<T>* all) {
    Tally add{"add", 0, 0}, sub{"sub", 0, 0}, mul{"mul", 0, 0}, fma{"fma", 0, 0}, div{"div", 0, 0}, rcp{"rcp", 0, 0},
        sqrt{"sqrt", 0, 0}, of{"from integers", 0, 0}, to{"to integers", 0, 0};
    for (unsigned int i = 0; i < TRIES; i++) {
        const Results<T>& r = all[i];
        T a = operand<T>(i, 1), b = operand<T>(i, 2), c = operand<T>(i, 3);
        Exact x = exact(a), y = exact(b), z = exact(c), minus = y;
        minus.negative = !y.negative;
        u64 n = to_bits(operand<double>(i, 4)) ^ (u64)i << 40;
        n >>= i % 50;
        for (int k = 0; k < 4; k++) {
            Mode mode = (Mode)k;
            add.compare(mode, r.add[k], rounded<T>(sum(x, y, mode), mode), i);
            sub.compare(mode, r.sub[k], rounded<T>(sum(x, minus, mode), mode), i);
            mul.compare(mode, r.mul[k], rounded<T>(product(x, y), mode), i);
            fma.compare(mode, r.fma[k], rounded<T>(sum(product(x, y), z, mode), mode), i);
            if (y.m != 0)
                div.compare(mode, r.div[k], rounded<T>(quotient(x, y), mode), i);
            if (x.m != 0) {
                rcp.compare(mode, r.rcp[k], rounded<T>(quotient({false, 1, 0, false}, x), mode), i);
                sqrt.compare(mode, r.sqrt[k], rounded<T>(root(x), mode), i);
            }
            if (sizeof(T) == 4 || mode == rn) {
                of.compare(mode, r.of_int[k], number<T>((u64)(long long)(int)n, true, mode), i);
                of.compare(mode, r.of_uint[k], number<T>((unsigned int)n, false, mode), i);
            }
            of.compare(mode, r.of_ll[k], number<T>(n, true, mode), i);
            of.compare(mode, r.of_ull[k], number<T>(n, false, mode), i);
            to.compare(mode, r.to_int[k], (int)integer(a, 32, true, mode), i);
            to.compare(mode, r.to_uint[k], (unsigned int)integer(a, 32, false, mode), i);
            to.compare(mode, r.to_ll[k], (long long)integer(a, 64, true, mode), i);
            to.compare(mode, r.to_ull[k], integer(a, 64, false, mode), i);
        }
    }
    for (const Tally* t : {&add, &sub, &mul, &fma, &div, &rcp, &sqrt, &of, &to})
        printf("%-7s %-14s %016llx %d wrong\n", type, t->name, t->digest, t->wrong);
}

// What is not a number, and what is infinite.
__global__ void special(const float* f, const double* d, int n) {
    for (int i = 0; i < n; i++) {
        printf("%5g: %d %x %llx %llx\n", f[i], __float2int_rn(f[i]), __float2uint_rz(f[i]), __float2ll_ru(f[i]),
               __float2ull_rd(f[i]));
        printf("%5g: %d %x %llx %llx %g\n", d[i], __double2int_rn(d[i]), __double2uint_rz(d[i]), __double2ll_ru(d[i]),
               __double2ull_rd(d[i]), __double2float_rz(d[i]));
    }
    printf("%x %x %x %g %g\n", __float_as_uint(__fadd_rn(f[0], -f[0])), __float_as_uint(__fmul_rz(f[0], 0.0f)),
           __float_as_uint(__fsqrt_ru(-1.0f)), __fdiv_rd(1.0f, -0.0f), __frcp_ru(f[1]));
    printf("%llx %llx %g %g\n", __double_as_longlong(__dadd_rn(d[0], -d[0])), __double_as_longlong(__dsqrt_rd(-1.0)),
           __ddiv_rz(-1.0, 0.0), __drcp_rn(d[1]));
    printf("%x %x %g\n", __double2hiint(-2.5), __double2loint(1.0 / 3), __hiloint2double(0x40091eb8, 0x51eb851f));
}

int main() {
    Results<float>* out;
    Results<double>* wide;
    cudaMallocManaged(&out, TRIES * sizeof *out);
    cudaMallocManaged(&wide, TRIES * sizeof *wide);
    device<<<TRIES / 64, 64>>>(out, wide);
    cudaDeviceSynchronize();
    check("float", out);
    check("double", wide);
    Tally narrow{"narrow", 0, 0}, rsqrt{"rsqrt", 0, 0};
    for (unsigned int i = 0; i < TRIES; i++) {
        for (int k = 0; k < 4; k++)
            narrow.compare((Mode)k, wide[i].narrow[k], rounded<float>(exact(operand<double>(i, 1)), (Mode)k), i);
        Exact x = exact(operand<float>(i, 1));
        if (x.m != 0) {
            // 1 / sqrt(x), twice the precision and more before the root.
            Exact inverse = quotient({false, 1, 0, false}, x);
            inverse = {false, inverse.m >> 3, inverse.e + 3, inverse.rest || (inverse.m & 7) != 0};
            rsqrt.compare(rn, out[i].rsqrt, rounded<float>(root(inverse), rn), i);
        }
    }
    for (const Tally* t : {&narrow, &rsqrt})
        printf("%-22s %016llx %d wrong\n", t->name, t->digest, t->wrong);
    float* f;
    double* d;
    cudaMallocManaged(&f, 3 * sizeof *f);
    cudaMallocManaged(&d, 3 * sizeof *d);
    f[0] = from_bits<float>(0x7f800000), f[1] = -f[0], f[2] = from_bits<float>(0x7fffffff);
    d[0] = f[0], d[1] = f[1], d[2] = from_bits<double>(0x7fffffffffffffffull);
    special<<<1, 1>>>(f, d, 3);
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(wide);
    cudaFree(f);
    cudaFree(d);
}
