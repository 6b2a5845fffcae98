// Inline PTX against the same computed in C: integers, bits, floats, conversions, predicates, carries.
#include <cstdio>

__device__ int wrong;

#define CHECK(what, actual, expected)                                                                        \
    do {                                                                                                     \
        auto a_ = (actual);                                                                                  \
        decltype(a_) e_ = (expected);                                                                        \
        if (!(a_ == e_) && atomicAdd(&wrong, 1) < 20)                                                        \
            printf("%s: %lld instead of %lld (%x, %x)\n", what, (long long)a_, (long long)e_, x, y);         \
    } while (0)

#define ASM2(text, type, a, b) ([&] { type r_; asm(text : "=r"(r_) : "r"(a), "r"(b)); return r_; }())
#define ASM1(text, type, a) ([&] { type r_; asm(text : "=r"(r_) : "r"(a)); return r_; }())

__device__ unsigned permute(unsigned a, unsigned b, unsigned select)
{
    unsigned char bytes[8];
    for (int i = 0; i < 4; i++) { bytes[i] = a >> 8 * i; bytes[i + 4] = b >> 8 * i; }
    unsigned r = 0;
    for (int i = 0; i < 4; i++) {
        unsigned s = select >> 4 * i & 15, byte = bytes[s & 7];
        if (s & 8) byte = byte & 128 ? 255 : 0;
        r |= byte << 8 * i;
    }
    return r;
}

__device__ long long field(long long a, int at, int len, int width, bool is_signed)
{
    if (len == 0) return 0;
    long long r = 0;
    long long top = a >> (at + len - 1 < width - 1 ? at + len - 1 : width - 1) & 1;
    for (int i = 0; i < width; i++) {
        long long bit = i < len && at + i < width ? a >> (at + i) & 1 : is_signed ? top : 0;
        r |= bit << i;
    }
    return r;
}

__global__ void integers(const unsigned* values, int n)
{
    unsigned x = values[threadIdx.x % n], y = values[threadIdx.x / n];
    int sx = (int)x, sy = (int)y;
    CHECK("add", ASM2("add.s32 %0, %1, %2;", int, x, y), (int)(x + y));
    CHECK("sub", ASM2("sub.u32 %0, %1, %2;", unsigned, x, y), x - y);
    CHECK("mul.lo", ASM2("mul.lo.u32 %0, %1, %2;", unsigned, x, y), x * y);
    CHECK("mul.hi.u32", ASM2("mul.hi.u32 %0, %1, %2;", unsigned, x, y), (unsigned)((unsigned long long)x * y >> 32));
    CHECK("mul.hi.s32", ASM2("mul.hi.s32 %0, %1, %2;", int, x, y), (int)((long long)sx * sy >> 32));
    long long wide;
    asm("mul.wide.s32 %0, %1, %2;" : "=l"(wide) : "r"(x), "r"(y));
    CHECK("mul.wide", wide, (long long)sx * sy);
    unsigned mad;
    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(mad) : "r"(x), "r"(y), "n"(77));
    CHECK("mad", mad, x * y + 77);
    CHECK("min.s32", ASM2("min.s32 %0, %1, %2;", int, x, y), sx < sy ? sx : sy);
    CHECK("max.u32", ASM2("max.u32 %0, %1, %2;", unsigned, x, y), x > y ? x : y);
    CHECK("shl", ASM2("shl.b32 %0, %1, %2;", unsigned, x, y), y > 31 ? 0u : x << y);
    CHECK("shr.u32", ASM2("shr.u32 %0, %1, %2;", unsigned, x, y), y > 31 ? 0u : x >> y);
    CHECK("shr.s32", ASM2("shr.s32 %0, %1, %2;", int, x, y), sx >> (y > 31 ? 31 : y));
    CHECK("not", ASM1("not.b32 %0, %1;", unsigned, x), ~x);
    CHECK("neg", ASM1("neg.s32 %0, %1;", int, x), (int)(0u - x));
    CHECK("abs", ASM1("abs.s32 %0, %1;", int, x), (int)(sx < 0 ? 0u - x : x));
    CHECK("clz", ASM1("clz.b32 %0, %1;", int, x), __clz(sx));
    CHECK("popc", ASM1("popc.b32 %0, %1;", int, x), __popc(x));
    CHECK("brev", ASM1("brev.b32 %0, %1;", unsigned, x), __brev(x));
    CHECK("bfind.u32", ASM1("bfind.u32 %0, %1;", int, x), 31 - __clz(sx));
    CHECK("bfind.s32", ASM1("bfind.s32 %0, %1;", int, x), 31 - __clz(sx < 0 ? ~sx : sx));
    CHECK("cnot", ASM1("cnot.b32 %0, %1;", unsigned, x), (unsigned)(x == 0));
    int at = y & 63, len = y >> 8 & 63;
    unsigned ru;
    int rs;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(ru) : "r"(x), "r"(at), "r"(len));
    CHECK("bfe.u32", ru, (unsigned)field(x, at, len, 32, false));
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(rs) : "r"(x), "r"(at), "r"(len));
    CHECK("bfe.s32", rs, (int)field(sx, at > 31 ? 31 : at, at > 31 ? (len ? 1 : 0) : len, 32, true));
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(ru) : "r"(x), "r"(y), "r"(at), "r"(len));
    unsigned long long mask = len >= 32 ? 0xffffffffull : (1ull << len) - 1;
    unsigned placed = at > 31 ? 0 : (unsigned)(mask << at);
    CHECK("bfi", ru, (y & ~placed) | (at > 31 ? 0 : x << at) & placed);
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(ru) : "r"(x), "r"(y), "r"(x >> 7));
    CHECK("prmt", ru, permute(x, y, x >> 7));
    asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(ru) : "r"(x), "r"(y), "r"(x * 3));
    CHECK("lop3", ru, (x & y) | (x & x * 3) | (y & x * 3));
    asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(ru) : "r"(x), "r"(y), "r"(at));
    CHECK("shf.l", ru, __funnelshift_l(x, y, at));
    asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(ru) : "r"(x), "r"(y), "r"(at));
    CHECK("shf.r", ru, __funnelshift_rc(x, y, at));
    asm("sad.u32 %0, %1, %2, %3;" : "=r"(ru) : "r"(x), "r"(y), "r"(5));
    CHECK("sad", ru, (x > y ? x - y : y - x) + 5);
    if (y) CHECK("div.u32", ASM2("div.u32 %0, %1, %2;", unsigned, x, y), x / y);
    if (y) CHECK("rem.u32", ASM2("rem.u32 %0, %1, %2;", unsigned, x, y), x % y);
    unsigned low, high;
    asm("{\n\t"
        ".reg .u32 t; // a register of its own\n\t"
        "add.cc.u32 %0, %2, %3;\n\t"
        "addc.cc.u32 t, %3, %2; /* and another */\n\t"
        "addc.u32 %1, t, 0;\n\t"
        "}"
        : "=r"(low), "=r"(high)
        : "r"(x), "r"(y));
    unsigned long long sum = ((unsigned long long)y << 32 | x) + ((unsigned long long)x << 32 | y);
    CHECK("add.cc", low, (unsigned)sum);
    unsigned carry = (unsigned)(((unsigned long long)x + y + (((unsigned long long)x + y) >> 32)) >> 32);
    CHECK("addc", high, (unsigned)(sum >> 32) + carry);
    asm("sub.cc.u32 %0, %2, %3; subc.u32 %1, %3, %2;" : "=r"(low), "=r"(high) : "r"(x), "r"(y));
    unsigned long long less = ((unsigned long long)y << 32 | x) - ((unsigned long long)x << 32 | y);
    CHECK("sub.cc", ((unsigned long long)high << 32 | low), less);
    asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(sum));
    CHECK("unpack", high, (unsigned)(sum >> 32));
    asm("mov.b64 %0, {%2, %1};" : "=l"(sum) : "r"(low), "r"(high));
    CHECK("pack", sum, (unsigned long long)low << 32 | high);
    asm("{ .reg .pred p; setp.lt.s32 p, %1, %2; selp.u32 %0, 10, 20, p; @p add.u32 %0, %0, 1; @!p mov.u32 %0, 7; }"
        : "=r"(ru) : "r"(x), "r"(y));
    CHECK("selp", ru, sx < sy ? 11u : 7u);
    asm("set.ge.u32.u32 %0, %1, %2;" : "=r"(ru) : "r"(x), "r"(y));
    CHECK("set", ru, x >= y ? 0xffffffffu : 0u);
    unsigned inout = x;
    asm("xor.b32 %0, %0, %1;" : "+r"(inout) : "r"(y));
    CHECK("+r", inout, x ^ y);
    asm("cvt.s32.s8 %0, %1;" : "=r"(rs) : "r"(x));
    CHECK("cvt.s8", rs, (int)(signed char)x);
    asm("cvt.u64.u32 %0, %1;" : "=l"(sum) : "r"(x));
    CHECK("cvt.u64", sum, (unsigned long long)x);
    asm("cvt.s64.s32 %0, %1;" : "=l"(wide) : "r"(x));
    CHECK("cvt.s64", wide, (long long)sx);
}

__global__ void floats(const float* values, int n)
{
    int x = threadIdx.x % n, y = threadIdx.x / n;
    float a = values[x], b = values[y], r;
    asm("add.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    CHECK("add.f32", __float_as_int(r), __float_as_int(__fadd_rn(a, b)));
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(1.5f));
    CHECK("fma", __float_as_int(r), __float_as_int(__fmaf_rn(a, b, 1.5f)));
    asm("mul.rz.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    CHECK("mul.rz", __float_as_int(r), __float_as_int(__fmul_rz(a, b)));
    asm("max.f32 %0, %1, 0f3F800000;" : "=f"(r) : "f"(a));
    CHECK("max.f32", __float_as_int(r), __float_as_int(fmaxf(a, 1.0f)));
    asm("sqrt.rn.f32 %0, %1;" : "=f"(r) : "f"(a * a));
    CHECK("sqrt", __float_as_int(r), __float_as_int(sqrtf(a * a)));
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(b));
    CHECK("ex2", __float_as_int(r), __float_as_int(exp2f(b)));
    int i;
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(i) : "f"(a));
    CHECK("cvt.rni", i, __float2int_rn(a));
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(i) : "f"(a));
    CHECK("cvt.rzi", i, (int)a);
    double d;
    asm("cvt.f64.f32 %0, %1;" : "=d"(d) : "f"(a));
    CHECK("cvt.f64", d, (double)a);
    asm("cvt.rn.f32.s32 %0, %1;" : "=f"(r) : "r"(x * 1234567));
    CHECK("cvt.f32.s32", r, (float)(x * 1234567));
    asm("{ .reg .pred p; setp.gtu.f32 p, %1, %2; selp.s32 %0, 1, 0, p; }" : "=r"(i) : "f"(a), "f"(b));
    CHECK("setp.f32", i, (int)(a > b));
    asm("neg.f32 %0, %1;" : "=f"(r) : "f"(a));
    CHECK("neg.f32", r, -a);
    asm("mov.b32 %0, %1;" : "=r"(i) : "f"(a));
    CHECK("mov.b32", i, __float_as_int(a));
}

int main()
{
    const unsigned ints[] = {0, 1, 2, 31, 32, 33, 0x7fffffff, 0x80000000, 0xffffffff, 0x12345678, 0x00ff1f04,
                             0xdeadbeef, 0x00010203, 0x80402010, 63, 0x2005};
    const float reals[] = {0, 1, -1, 0.5f, 2.5f, -2.5f, 3.1415927f, 1e-3f, 1e6f, -7.75f};
    unsigned* u;
    float* f;
    cudaMallocManaged(&u, sizeof ints);
    cudaMallocManaged(&f, sizeof reals);
    memcpy(u, ints, sizeof ints);
    memcpy(f, reals, sizeof reals);
    integers<<<1, 256>>>(u, 16);
    floats<<<1, 100>>>(f, 10);
    cudaDeviceSynchronize();
    int count = -1;
    cudaMemcpyFromSymbol(&count, wrong, sizeof count);
    printf("%d wrong, %s\n", count, cudaGetErrorString(cudaGetLastError()));
    cudaFree(u);
    cudaFree(f);
    return count;
}
