// Every function of one half or bfloat16 and of pairs, over pairs of bit patterns that meet each other's extremes: a
// digest for each. Where a function of pairs does what one of numbers does, the results are compared, too.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

const int TRIES = 1024;

__host__ __device__ unsigned int mix(unsigned int x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}
// Zeros, subnormal numbers, ones, largest, infinities and NaN of both formats against each other; then anything.
__host__ __device__ unsigned short pattern(unsigned int i, unsigned int salt) {
    const unsigned short special[16] = {0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x3c00, 0xbc00, 0x3f80,
                                        0x7bff, 0x7c00, 0xfc00, 0x7f7f, 0x7f80, 0xff80, 0x7fff, 0xfe01};
    if (i < 256)
        return special[(salt & 1 ? i / 16 : i) % 16];
    unsigned int r = mix(i * 4 + salt);
    return (unsigned short)(i % 2 ? r : (r & 0x83ff) | (0x3800 + (r >> 20 & 3) * 0x400));
}

__host__ __device__ __half half_of(unsigned short bits) { return __ushort_as_half(bits); }
__host__ __device__ unsigned int bits_of(__half h) { return __half_as_ushort(h); }
__host__ __device__ unsigned int bits_of(__nv_bfloat16 h) { return __bfloat16_as_ushort(h); }
__host__ __device__ unsigned int bits_of(__half2 p) { return bits_of(__low2half(p)) | bits_of(__high2half(p)) << 16; }
__host__ __device__ unsigned int bits_of(__nv_bfloat162 p) {
    return bits_of(__low2bfloat16(p)) | bits_of(__high2bfloat16(p)) << 16;
}
__host__ __device__ unsigned int bits_of(bool b) { return b; }
__host__ __device__ unsigned int bits_of(unsigned int x) { return x; }
__host__ __device__ unsigned int bits_of(int x) { return (unsigned int)x; }

// Which format a function template works on.
struct Half {
    typedef __half T;
    typedef __half2 T2;
    __host__ __device__ static T of(unsigned short bits) { return __ushort_as_half(bits); }
    __host__ __device__ static T2 pair(T a, T b) { return __halves2half2(a, b); }
};
struct Bfloat {
    typedef __nv_bfloat16 T;
    typedef __nv_bfloat162 T2;
    __host__ __device__ static T of(unsigned short bits) { return __ushort_as_bfloat16(bits); }
    __host__ __device__ static T2 pair(T a, T b) { return __halves2bfloat162(a, b); }
};

// name of the pair's function and of the number's, operands a, b, c
#define SAME(F)                                                                                        \
    F(__hadd2, __hadd, 2) F(__hsub2, __hsub, 2) F(__hmul2, __hmul, 2) F(__h2div, __hdiv, 2)            \
    F(__hadd2_rn, __hadd_rn, 2) F(__hsub2_rn, __hsub_rn, 2) F(__hmul2_rn, __hmul_rn, 2)                \
    F(__hadd2_sat, __hadd_sat, 2) F(__hsub2_sat, __hsub_sat, 2) F(__hmul2_sat, __hmul_sat, 2)          \
    F(__hmax2, __hmax, 2) F(__hmin2, __hmin, 2) F(__hmax2_nan, __hmax_nan, 2) F(__hmin2_nan, __hmin_nan, 2) \
    F(__hneg2, __hneg, 1) F(__habs2, __habs, 1) F(h2floor, hfloor, 1) F(h2ceil, hceil, 1)              \
    F(h2trunc, htrunc, 1) F(h2rint, hrint, 1)                                                          \
    F(__hfma2, __hfma, 3) F(__hfma2_sat, __hfma_sat, 3)
// the same where the device alone has them
#define DEVICE(F)                                                                                      \
    F(h2sqrt, hsqrt, 1) F(h2rsqrt, hrsqrt, 1) F(h2rcp, hrcp, 1) F(h2log, hlog, 1) F(h2log2, hlog2, 1)  \
    F(h2log10, hlog10, 1) F(h2exp, hexp, 1) F(h2exp2, hexp2, 1) F(h2exp10, hexp10, 1) F(h2cos, hcos, 1) \
    F(h2sin, hsin, 1) F(h2tanh, htanh, 1) F(h2tanh_approx, htanh_approx, 1) F(__hfma2_relu, __hfma_relu, 3)
// comparisons: eq, and what it is called unordered
#define COMPARE(F) F(eq) F(ne) F(le) F(ge) F(lt) F(gt) F(equ) F(neu) F(leu) F(geu) F(ltu) F(gtu)

#define CALL1(f, a, b, c) f(a)
#define CALL2(f, a, b, c) f(a, b)
#define CALL3(f, a, b, c) f(a, b, c)

enum Function {
#define NAME(two, one, n) of_##two,
    SAME(NAME) DEVICE(NAME)
#undef NAME
#define NAME(c) of_##c, of_##c##_mask, of_##c##_all,
        COMPARE(NAME)
#undef NAME
            of_isnan,
    of_cmadd,
    of_shuffle,
    FUNCTIONS
};

struct Out {
    unsigned int digest[FUNCTIONS], differ[FUNCTIONS];
};

// One of each kind for operands i; results go to `out`, from all threads in any order.
template <typename F> __device__ void all(unsigned int i, Out* out) {
    typedef typename F::T T;
    typedef typename F::T2 T2;
    T a = F::of(pattern(i, 0)), b = F::of(pattern(i, 1)), c = F::of(pattern(i * 7 + 3, 2));
    T d = F::of(pattern(i * 5 + 1, 3)), e = F::of(pattern(i * 3 + 2, 4)), g = F::of(pattern(i * 11 + 5, 5));
    T2 x = F::pair(a, b), y = F::pair(b, c), z = F::pair(d, e);
    (void)g;
#define ADD(which, r) atomicAdd(&out->digest[which], mix((r) ^ mix(i * 64 + 17)))
#define TWO(two, one, n)                                                                               \
    {                                                                                                  \
        unsigned int p = bits_of(CALL##n(two, x, y, z));                                               \
        unsigned int s = bits_of(CALL##n(one, a, b, d)) | bits_of(CALL##n(one, b, c, e)) << 16;        \
        ADD(of_##two, p);                                                                              \
        if (p != s)                                                                                    \
            atomicAdd(&out->differ[of_##two], 1);                                                      \
    }
    SAME(TWO) DEVICE(TWO)
#undef TWO
#define TWO(cc)                                                                                        \
    {                                                                                                  \
        bool lo = __h##cc(a, b), hi = __h##cc(b, c);                                                   \
        unsigned int p = bits_of(__h##cc##2(x, y)), m = __h##cc##2_mask(x, y);                         \
        bool both = __hb##cc##2(x, y);                                                                 \
        ADD(of_##cc, p);                                                                               \
        ADD(of_##cc##_mask, m);                                                                        \
        ADD(of_##cc##_all, (unsigned int)both);                                                        \
        if (p != bits_of(F::pair(T(lo ? 1.0f : 0.0f), T(hi ? 1.0f : 0.0f))))                           \
            atomicAdd(&out->differ[of_##cc], 1);                                                       \
        if (m != ((lo ? 0xffffu : 0u) | (hi ? 0xffff0000u : 0u)))                                      \
            atomicAdd(&out->differ[of_##cc##_mask], 1);                                                \
        if (both != (lo && hi))                                                                        \
            atomicAdd(&out->differ[of_##cc##_all], 1);                                                 \
    }
    COMPARE(TWO)
#undef TWO
    ADD(of_isnan, bits_of(__hisnan2(x)) ^ (unsigned int)__hisnan(a) ^ (unsigned int)__hisinf(b) << 2);
    ADD(of_cmadd, bits_of(__hcmadd(x, y, z)));
    T2 other = __shfl_xor_sync(0xffffffffu, x, 5);
    ADD(of_shuffle, bits_of(other) ^ bits_of(__shfl_sync(0xffffffffu, a, 3)) ^ bits_of(__shfl_up_sync(0xffffffffu, y, 1)) ^
                        bits_of(__shfl_down_sync(0xffffffffu, b, 2)));
}

template <typename F> __global__ void every(Out* out) { all<F>(blockIdx.x * blockDim.x + threadIdx.x, out); }

// What has one name for each format: taking apart, putting together, cached accesses.
__global__ void halves(unsigned int* r, __half2* p) {
    __half a = 1.5f, b = -2.0f;
    __half2 x = __halves2half2(a, b), y = __floats2half2_rn(0.1f, 70000.0f);
    r[0] = bits_of(__float2half2_rn(3.0f)), r[1] = bits_of(__half2half2(a)), r[2] = bits_of(__low2half2(x));
    r[3] = bits_of(__high2half2(x)), r[4] = bits_of(__lows2half2(x, y)), r[5] = bits_of(__highs2half2(x, y));
    r[6] = bits_of(__lowhigh2highlow(x)), r[7] = (unsigned short)__half_as_short(b), r[8] = bits_of(__short_as_half(0x4000));
    r[9] = bits_of(make_half2(b, a)), r[10] = bits_of(__float22half2_rn(make_float2(1.0f, 2.0f)));
    float2 f = __half22float2(y);
    r[11] = __float_as_uint(f.x), r[12] = __float_as_uint(f.y), r[13] = bits_of(__float2half(65519.0f));
    __stcg(p, x), __stwb(p + 1, y), __stcs(p + 2, x), __stwt(p + 3, y);
    r[14] = bits_of(__ldcg(p)), r[15] = bits_of(__ldca(p + 1)), r[16] = bits_of(__ldcs(p + 2)), r[17] = bits_of(__ldcv(p + 3));
    r[18] = bits_of(__ldlu(p)), r[19] = bits_of(atomicAdd(p, y)), r[20] = bits_of(*p);
    r[21] = bits_of(atomicAdd((__half*)p, a)), r[22] = bits_of(*p);
}
__global__ void bfloats(unsigned int* r, __nv_bfloat162* p) {
    __nv_bfloat16 a = 1.5f, b = -2.0f;
    __nv_bfloat162 x = __halves2bfloat162(a, b), y = __floats2bfloat162_rn(0.1f, 3.4e38f);
    r[0] = bits_of(__float2bfloat162_rn(3.0f)), r[1] = bits_of(__bfloat162bfloat162(a)), r[2] = bits_of(__low2bfloat162(x));
    r[3] = bits_of(__high2bfloat162(x)), r[4] = bits_of(__lows2bfloat162(x, y)), r[5] = bits_of(__highs2bfloat162(x, y));
    r[6] = bits_of(__lowhigh2highlow(x)), r[7] = (unsigned short)__bfloat16_as_short(b);
    r[8] = bits_of(__short_as_bfloat16(0x4000)), r[9] = bits_of(make_bfloat162(b, a));
    r[10] = bits_of(__float22bfloat162_rn(make_float2(1.0f, 2.0f)));
    float2 f = __bfloat1622float2(y);
    r[11] = __float_as_uint(f.x), r[12] = __float_as_uint(f.y), r[13] = bits_of(__float2bfloat16(65519.0f));
    __stcg(p, x), __stwb(p + 1, y), __stcs(p + 2, x), __stwt(p + 3, y);
    r[14] = bits_of(__ldcg(p)), r[15] = bits_of(__ldca(p + 1)), r[16] = bits_of(__ldcs(p + 2)), r[17] = bits_of(__ldcv(p + 3));
    r[18] = bits_of(__ldlu(p)), r[19] = bits_of(atomicAdd(p, y)), r[20] = bits_of(*p);
    r[21] = bits_of(atomicAdd((__nv_bfloat16*)p, a)), r[22] = bits_of(*p);
}

template <typename F> void run(const char* format) {
    const char* names[] = {
#define NAME(two, one, n) #two,
        SAME(NAME) DEVICE(NAME)
#undef NAME
#define NAME(c) "__h" #c "2", "__h" #c "2_mask", "__hb" #c "2",
            COMPARE(NAME)
#undef NAME
                "__hisnan", "__hcmadd", "shuffles"};
    Out* out;
    cudaMallocManaged(&out, sizeof *out);
    *out = Out{};
    every<F><<<TRIES / 128, 128>>>(out);
    cudaDeviceSynchronize();
    printf("%s\n", format);
    for (int f = 0; f < FUNCTIONS; f++) {
        printf("%-15s %08x%s", names[f], out->digest[f], f % 3 == 2 ? "\n" : "  ");
        if (out->differ[f])
            printf("%s differs from the function of numbers %u times\n", names[f], out->differ[f]);
    }
    printf("\n");
    cudaFree(out);
}

int main() {
    run<Half>("half");
    run<Bfloat>("bfloat16");
    unsigned int* r;
    void* p;
    cudaMallocManaged(&r, 23 * sizeof *r);
    cudaMalloc(&p, 16);
    halves<<<1, 1>>>(r, (__half2*)p);
    cudaDeviceSynchronize();
    for (int i = 0; i < 23; i++)
        printf("%08x%c", r[i], i % 8 == 7 || i == 22 ? '\n' : ' ');
    bfloats<<<1, 1>>>(r, (__nv_bfloat162*)p);
    cudaDeviceSynchronize();
    for (int i = 0; i < 23; i++)
        printf("%08x%c", r[i], i % 8 == 7 || i == 22 ? '\n' : ' ');
    cudaFree(r);
    cudaFree(p);
}
