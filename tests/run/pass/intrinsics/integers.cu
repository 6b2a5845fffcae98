// Integer intrinsics: each function on the device against its meaning on the host, over extreme and arbitrary operands.
#include <cstdio>

typedef unsigned int u32;
typedef unsigned long long u64;
const int TRIES = 1024;

__host__ __device__ u64 operand(u32 i, u32 salt) {
    const u64 special[8] = {0, 1, 0x7fffffffull, 0x80000000ull, 0xffffffffull, ~0ull, 1ull << 63, ~0ull >> 1};
    if (i < 64 * 8)
        return special[(salt == 1 ? i : salt == 2 ? i / 8 : i / 64) % 8];
    u64 x = (i + 1) * 0x9e3779b97f4a7c15ull + salt * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x ^= x >> 27;
    return x >> (i * 7 + salt) % 60;
}

long long high(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
u64 unsigned_high(u64 a, u64 b) { return (u64)((unsigned __int128)a * b >> 64); }
int bits_of(u64 x) {
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}
int zeros(u64 x, int width) {
    int n = 0;
    while (n < width && !(x >> (width - 1 - n) & 1))
        n++;
    return n;
}
int first(u64 x, int width) {
    for (int n = 0; n < width; n++)
        if (x >> n & 1)
            return n + 1;
    return 0;
}
u64 reversed(u64 x, int width) {
    u64 r = 0;
    for (int n = 0; n < width; n++)
        r |= (x >> n & 1) << (width - 1 - n);
    return r;
}
int low24(u64 x) { return (int)(x << 8) >> 8; }
u32 permuted(u32 x, u32 y, u32 s) {
    u64 both = (u64)y << 32 | x;
    u32 r = 0;
    for (int k = 0; k < 4; k++) {
        r |= ((u32)(both >> 8 * (s >> 4 * k & 7)) & 255) << 8 * k;
    }
    return r;
}
u32 least(u64 n, u32 most) { return (u32)n < most ? (u32)n : most; }
u32 funnel_left(u32 lo, u32 hi, u32 n) { return (u32)(((u64)hi << 32 | lo) << n >> 32); }
u32 funnel_right(u32 lo, u32 hi, u32 n) { return (u32)(((u64)hi << 32 | lo) >> n); }
// The dot product of `n` elements of 8 or 16 bits of a with bytes of b from `from` on.
u32 dot(u32 a, u32 b, u32 c, int n, int from, bool sign) {
    u32 r = c;
    for (int k = 0; k < n; k++) {
        int width = 32 / n;
        u32 x = a >> width * k & ((1u << width) - 1), y = b >> 8 * (k + from) & 255;
        r += sign ? (u32)((width == 8 ? (signed char)x : (short)x) * (signed char)y) : x * y;
    }
    return r;
}
// The n-th set bit from `base` on, upwards where n is positive: __fns.
u32 nth(u32 mask, u32 base, int n) {
    if (n == 0)
        return mask >> base & 1 ? base : ~0u;
    int step = n > 0 ? 1 : -1;
    for (int at = (int)base; at >= 0 && at < 32; at += step)
        if (mask >> at & 1 && (n -= step) == 0)
            return (u32)at;
    return ~0u;
}

// name, how wide the result is, the call of a, b, c (64 bits each), its meaning
#define ALL(F)                                                                                         \
    F(__mulhi, u32, __mulhi((int)a, (int)b), (u32)((long long)(int)a * (int)b >> 32))                  \
    F(__umulhi, u32, __umulhi((u32)a, (u32)b), (u32)((u64)(u32)a * (u32)b >> 32))                      \
    F(__mul64hi, u64, __mul64hi((long long)a, (long long)b), high((long long)a, (long long)b))         \
    F(__umul64hi, u64, __umul64hi(a, b), unsigned_high(a, b))                                          \
    F(__mul24, u32, __mul24((int)a, (int)b), (u32)((long long)low24(a) * low24(b)))                    \
    F(__umul24, u32, __umul24((u32)a, (u32)b), (u32)((a & 0xffffff) * (b & 0xffffff)))                 \
    F(__sad, u32, __sad((int)a, (int)b, (u32)c), ((int)a > (int)b ? (u32)a - (u32)b : (u32)b - (u32)a) + (u32)c) \
    F(__usad, u32, __usad((u32)a, (u32)b, (u32)c), ((u32)a > (u32)b ? (u32)a - (u32)b : (u32)b - (u32)a) + (u32)c) \
    F(__hadd, u32, __hadd((int)a, (int)b), ((long long)(int)a + (int)b) >> 1)                          \
    F(__rhadd, u32, __rhadd((int)a, (int)b), ((long long)(int)a + (int)b + 1) >> 1)                    \
    F(__uhadd, u32, __uhadd((u32)a, (u32)b), ((u64)(u32)a + (u32)b) >> 1)                              \
    F(__urhadd, u32, __urhadd((u32)a, (u32)b), ((u64)(u32)a + (u32)b + 1) >> 1)                        \
    F(__clz, u32, __clz((int)a), zeros((u32)a, 32))                                                    \
    F(__clzll, u32, __clzll((long long)a), zeros(a, 64))                                               \
    F(__ffs, u32, __ffs((int)a), first((u32)a, 32))                                                    \
    F(__ffsll, u32, __ffsll((long long)a), first(a, 64))                                               \
    F(__popc, u32, __popc((u32)a), bits_of((u32)a))                                                    \
    F(__popcll, u32, __popcll(a), bits_of(a))                                                          \
    F(__brev, u32, __brev((u32)a), reversed((u32)a, 32))                                               \
    F(__brevll, u64, __brevll(a), reversed(a, 64))                                                     \
    F(__byte_perm, u32, __byte_perm((u32)a, (u32)b, (u32)c), permuted((u32)a, (u32)b, (u32)c))         \
    F(__funnelshift_l, u32, __funnelshift_l((u32)a, (u32)b, (u32)c), funnel_left((u32)a, (u32)b, c & 31)) \
    F(__funnelshift_lc, u32, __funnelshift_lc((u32)a, (u32)b, (u32)c), funnel_left((u32)a, (u32)b, least(c, 32))) \
    F(__funnelshift_r, u32, __funnelshift_r((u32)a, (u32)b, (u32)c), funnel_right((u32)a, (u32)b, c & 31)) \
    F(__funnelshift_rc, u32, __funnelshift_rc((u32)a, (u32)b, (u32)c), funnel_right((u32)a, (u32)b, least(c, 32))) \
    F(__dp4a_signed, u32, __dp4a((int)a, (int)b, (int)c), dot((u32)a, (u32)b, (u32)c, 4, 0, true))     \
    F(__dp4a_unsigned, u32, __dp4a((u32)a, (u32)b, (u32)c), dot((u32)a, (u32)b, (u32)c, 4, 0, false))  \
    F(__dp2a_lo_signed, u32, __dp2a_lo((int)a, (int)b, (int)c), dot((u32)a, (u32)b, (u32)c, 2, 0, true)) \
    F(__dp2a_hi_signed, u32, __dp2a_hi((int)a, (int)b, (int)c), dot((u32)a, (u32)b, (u32)c, 2, 2, true)) \
    F(__dp2a_lo_unsigned, u32, __dp2a_lo((u32)a, (u32)b, (u32)c), dot((u32)a, (u32)b, (u32)c, 2, 0, false)) \
    F(__dp2a_hi_unsigned, u32, __dp2a_hi((u32)a, (u32)b, (u32)c), dot((u32)a, (u32)b, (u32)c, 2, 2, false)) \
    F(__fns, u32, __fns((u32)a, (u32)b & 31, (int)(c & 31) - 16), nth((u32)a, (u32)b & 31, (int)(c & 31) - 16)) \
    F(__float_as_int, u32, (u32)__float_as_int(__int_as_float((int)a)), (u32)a)                        \
    F(__float_as_uint, u32, __float_as_uint(__uint_as_float((u32)a)), (u32)a)                          \
    F(__double_as_longlong, u64, (u64)__double_as_longlong(__longlong_as_double((long long)a)), a)     \
    F(__hiloint2double, u64, (u64)__double_as_longlong(__hiloint2double((int)a, (int)b)), a << 32 | (u32)b) \
    F(__double2hiint, u32, __double2hiint(__longlong_as_double((long long)a)), (u32)(a >> 32))         \
    F(__double2loint, u32, __double2loint(__longlong_as_double((long long)a)), (u32)a)                 \
    F(min, u32, min((int)a, (int)b), (int)a < (int)b ? (u32)a : (u32)b)                                \
    F(umin, u32, umin((u32)a, (u32)b), (u32)a < (u32)b ? (u32)a : (u32)b)                              \
    F(llmin, u64, (u64)llmin((long long)a, (long long)b), (long long)a < (long long)b ? a : b)         \
    F(ullmin, u64, ullmin(a, b), a < b ? a : b)                                                        \
    F(max, u32, max((int)a, (int)b), (int)a > (int)b ? (u32)a : (u32)b)                                \
    F(umax, u32, umax((u32)a, (u32)b), (u32)a > (u32)b ? (u32)a : (u32)b)                              \
    F(llmax, u64, (u64)llmax((long long)a, (long long)b), (long long)a > (long long)b ? a : b)         \
    F(ullmax, u64, ullmax(a, b), a > b ? a : b)

enum Function {
#define NAME(f, type, call, meaning) of_##f,
    ALL(NAME)
#undef NAME
        FUNCTIONS
};

__global__ void device(u64* out) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    u64 a = operand(i, 1), b = operand(i, 2), c = operand(i, 3);
#define CALL(f, type, call, meaning) out[of_##f * TRIES + i] = (type)(call);
    ALL(CALL)
#undef CALL
}

u64 expected(int f, u64 a, u64 b, u64 c) {
    switch (f) {
#define CASE(f, type, call, meaning)                                                                   \
    case of_##f: return (type)(meaning);
        ALL(CASE)
#undef CASE
    }
    return 0;
}

int main() {
    const char* names[] = {
#define NAME(f, type, call, meaning) #f,
        ALL(NAME)
#undef NAME
    };
    u64* out;
    cudaMallocManaged(&out, FUNCTIONS * TRIES * sizeof *out);
    device<<<TRIES / 128, 128>>>(out);
    cudaDeviceSynchronize();
    for (int f = 0; f < FUNCTIONS; f++) {
        u64 digest = 14695981039346656037ull;
        int wrong = 0;
        for (u32 i = 0; i < TRIES; i++) {
            u64 a = operand(i, 1), b = operand(i, 2), c = operand(i, 3), got = out[f * TRIES + i];
            digest = (digest ^ got) * 1099511628211ull;
            if (got != expected(f, a, b, c) && wrong++ == 0)
                printf("%s(%llx, %llx, %llx) = %llx, not %llx\n", names[f], a, b, c, got, expected(f, a, b, c));
        }
        printf("%-20s %016llx%s", names[f], digest, f % 2 ? "\n" : "  ");
    }
    cudaFree(out);
}
