// Every mathematical function in both precisions, over numbers of all sizes, halves, integers, values around 1 and what is
// no number: a digest for each. The bits are those of the device's library (docs/device-math.md compares them over the
// whole range); here they are kept.
#include <cstdio>
#include <cstring>
#include <cmath>

typedef unsigned int u32;
typedef unsigned long long u64;
const int TRIES = 512;

__host__ __device__ u64 mix(u64 x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}
template <typename T> __device__ T operand(u32 i, u32 salt) {
    const double special[24] = {0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 1.5, 10.0, -3.0, 0.25, 100.0,
                                1e-5, -1e-5, 3.14159265358979, 1e30, -1e30, 1e-30, 0.999, 1.001, 25.0, -0.75, 88.0, -104.0};
    if (i < 24 * 8)
        return (T)special[(salt ? i * 5 + i / 24 : i) % 24];
    if (i < 200)
        return i < 204 && salt == 0 ? (T)__longlong_as_double(i % 2 ? 0x7ff0000000000000ll : 0xfff0000000000000ll) : (T)NAN;
    u64 x = mix((u64)i * 3 + salt + 1);
    double m = 1.0 + (double)(x >> 12) * 0x1p-52;
    int e = i % 3 == 0 ? (int)(x % 12) - 8 : i % 3 == 1 ? (int)(x % 4) - 1 : (int)(x % 60) - 30;
    return (T)((x >> 63 ? -m : m) * exp2((double)e));
}

__device__ u64 bits(float x) { return __float_as_uint(x); }
__device__ u64 bits(double x) { return (u64)__double_as_longlong(x); }
__device__ u64 bits(int x) { return (u64)(long long)x; }
__device__ u64 bits(long x) { return (u64)x; }
__device__ u64 bits(long long x) { return (u64)x; }
__device__ u64 bits(bool x) { return x; }

// name in double, in float; the arguments are x, y, z of the precision, n an integer, and places for second results
#define ONE(F)                                                                                         \
    F(sin, sinf) F(cos, cosf) F(tan, tanf) F(asin, asinf) F(acos, acosf) F(atan, atanf) F(sinh, sinhf) \
    F(cosh, coshf) F(tanh, tanhf) F(asinh, asinhf) F(acosh, acoshf) F(atanh, atanhf) F(exp, expf)      \
    F(exp2, exp2f) F(exp10, exp10f) F(expm1, expm1f) F(log, logf) F(log2, log2f) F(log10, log10f)      \
    F(log1p, log1pf) F(sqrt, sqrtf) F(rsqrt, rsqrtf) F(cbrt, cbrtf) F(rcbrt, rcbrtf) F(sinpi, sinpif)  \
    F(cospi, cospif) F(erf, erff) F(erfc, erfcf) F(erfinv, erfinvf) F(erfcinv, erfcinvf)               \
    F(erfcx, erfcxf) F(normcdf, normcdff) F(normcdfinv, normcdfinvf) F(lgamma, lgammaf)                \
    F(tgamma, tgammaf) F(j0, j0f) F(j1, j1f) F(y0, y0f) F(y1, y1f) F(cyl_bessel_i0, cyl_bessel_i0f)    \
    F(cyl_bessel_i1, cyl_bessel_i1f) F(floor, floorf) F(ceil, ceilf) F(trunc, truncf) F(round, roundf) \
    F(rint, rintf) F(nearbyint, nearbyintf) F(fabs, fabsf) F(logb, logbf) F(ilogb, ilogbf)             \
    F(lrint, lrintf) F(llrint, llrintf) F(lround, lroundf) F(llround, llroundf)
#define TWO(F)                                                                                         \
    F(pow, powf) F(atan2, atan2f) F(hypot, hypotf) F(rhypot, rhypotf) F(fmod, fmodf)                   \
    F(remainder, remainderf) F(fdim, fdimf) F(fmax, fmaxf) F(fmin, fminf) F(copysign, copysignf)       \
    F(nextafter, nextafterf) F(fdivide, fdividef)
#define FAST(F) F(__sinf) F(__cosf) F(__tanf) F(__tanhf) F(__expf) F(__exp10f) F(__log2f) F(__log10f) F(__logf) F(__saturatef)
#define OTHERS(F)                                                                                      \
    F(fma, fma(x, y, z)) F(norm3d, norm3d(x, y, z)) F(rnorm3d, rnorm3d(x, y, z))                       \
    F(norm4d, norm4d(x, y, z, x)) F(rnorm4d, rnorm4d(x, y, z, x)) F(jn, jn(n % 5, x)) F(yn, yn(n % 5, x)) \
    F(ldexp, ldexp(x, n)) F(scalbn, scalbn(x, n)) F(scalbln, scalbln(x, (long)n)) F(powi, pow(x, n))
#define OTHERS_F(F)                                                                                    \
    F(fmaf, fmaf(x, y, z)) F(norm3df, norm3df(x, y, z)) F(rnorm3df, rnorm3df(x, y, z))                 \
    F(norm4df, norm4df(x, y, z, x)) F(rnorm4df, rnorm4df(x, y, z, x)) F(jnf, jnf(n % 5, x)) F(ynf, ynf(n % 5, x)) \
    F(ldexpf, ldexpf(x, n)) F(scalbnf, scalbnf(x, n)) F(scalblnf, scalblnf(x, (long)n)) F(powif, powf(x, (float)n)) \
    F(__fdividef, __fdividef(x, y)) F(__powf, __powf(x, y)) F(ieee_rn, __fmaf_ieee_rn(x, y, z))        \
    F(ieee_rz, __fmaf_ieee_rz(x, y, z)) F(ieee_ru, __fmaf_ieee_ru(x, y, z)) F(ieee_rd, __fmaf_ieee_rd(x, y, z))
#define PREDICATES(F) F(isnan) F(isinf) F(isfinite) F(signbit) F(__isnan) F(__isinf) F(__finite) F(__signbit)
#define PREDICATES_F(F) F(__isnanf) F(__isinff) F(__finitef) F(__signbitf)

enum Function {
#define NAME(d, f) of_##d, of_##f,
    ONE(NAME) TWO(NAME)
#undef NAME
#define NAME(f, ...) of_##f,
        FAST(NAME) OTHERS(NAME) OTHERS_F(NAME)
#undef NAME
#define NAME(f) of_##f, of_##f##_float,
            PREDICATES(NAME)
#undef NAME
#define NAME(f) of_##f,
                PREDICATES_F(NAME)
#undef NAME
                    of_nan,
    of_nanf,
    of_sincos,
    of_sincosf,
    of_sincospi,
    of_sincospif,
    of___sincosf,
    of_frexp,
    of_frexpf,
    of_modf,
    of_modff,
    of_remquo,
    of_remquof,
    of_norm,
    of_normf,
    of_rnorm,
    of_rnormf,
    FUNCTIONS
};

__global__ void device(u64* digest) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    u64 key = mix(i + 1);
    int n = (int)(key % 41) - 20;
#define ADD(f, r) atomicAdd(&digest[f], mix(key ^ (r)));
    {
        double x = operand<double>(i, 0), y = operand<double>(i, 1), z = operand<double>(i, 2), p, q;
#define CALL(d, f) ADD(of_##d, bits(d(x)))
        ONE(CALL)
#undef CALL
#define CALL(d, f) ADD(of_##d, bits(d(x, y)))
        TWO(CALL)
#undef CALL
#define CALL(f, call) ADD(of_##f, bits(call))
        OTHERS(CALL)
#undef CALL
#define CALL(f) ADD(of_##f, (u64)(f(x) != 0))
        PREDICATES(CALL)
#undef CALL
        int k;
        sincos(x, &p, &q);
        ADD(of_sincos, bits(p) ^ mix(bits(q)))
        sincospi(x, &p, &q);
        ADD(of_sincospi, bits(p) ^ mix(bits(q)))
        p = frexp(x, &k);
        // The exponent of what has none is anything.
        ADD(of_frexp, bits(p) ^ (isfinite(x) ? mix(bits(k)) : 0))
        p = modf(x, &q);
        ADD(of_modf, bits(p) ^ mix(bits(q)))
        p = remquo(x, y, &k);
        ADD(of_remquo, bits(p) ^ (isnan(p) ? 0 : mix((u64)(k & 7))))
        double v[3] = {x, y, z};
        ADD(of_norm, bits(norm(3, v)))
        ADD(of_rnorm, bits(rnorm(3, v)))
    }
    {
        float x = operand<float>(i, 0), y = operand<float>(i, 1), z = operand<float>(i, 2), p, q;
#define CALL(d, f) ADD(of_##f, bits(f(x)))
        ONE(CALL)
#undef CALL
#define CALL(d, f) ADD(of_##f, bits(f(x, y)))
        TWO(CALL)
#undef CALL
#define CALL(f) ADD(of_##f, bits(f(x)))
        FAST(CALL)
#undef CALL
#define CALL(f, call) ADD(of_##f, bits(call))
        OTHERS_F(CALL)
#undef CALL
#define CALL(f) ADD(of_##f##_float, (u64)(f(x) != 0))
        PREDICATES(CALL)
#undef CALL
#define CALL(f) ADD(of_##f, (u64)(f(x) != 0))
        PREDICATES_F(CALL)
#undef CALL
        ADD(of_nan, bits(nan("")))
        ADD(of_nanf, bits(nanf("")))
        int k;
        sincosf(x, &p, &q);
        ADD(of_sincosf, bits(p) ^ mix(bits(q)))
        sincospif(x, &p, &q);
        ADD(of_sincospif, bits(p) ^ mix(bits(q)))
        __sincosf(x, &p, &q);
        ADD(of___sincosf, bits(p) ^ mix(bits(q)))
        p = frexpf(x, &k);
        ADD(of_frexpf, bits(p) ^ (isfinite(x) ? mix(bits(k)) : 0))
        p = modff(x, &q);
        ADD(of_modff, bits(p) ^ mix(bits(q)))
        p = remquof(x, y, &k);
        ADD(of_remquof, bits(p) ^ (isnan(p) ? 0 : mix((u64)(k & 7))))
        float v[3] = {x, y, z};
        ADD(of_normf, bits(normf(3, v)))
        ADD(of_rnormf, bits(rnormf(3, v)))
    }
}

int main() {
    const char* names[] = {
#define NAME(d, f) #d, #f,
        ONE(NAME) TWO(NAME)
#undef NAME
#define NAME(f, ...) #f,
            FAST(NAME) OTHERS(NAME) OTHERS_F(NAME)
#undef NAME
#define NAME(f) #f, #f " of float",
                PREDICATES(NAME)
#undef NAME
#define NAME(f) #f,
                    PREDICATES_F(NAME)
#undef NAME
                        "nan", "nanf", "sincos", "sincosf", "sincospi", "sincospif", "__sincosf", "frexp", "frexpf", "modf", "modff",
        "remquo", "remquof", "norm", "normf", "rnorm", "rnormf"};
    u64* digest;
    cudaMallocManaged(&digest, FUNCTIONS * sizeof *digest);
    memset(digest, 0, FUNCTIONS * sizeof *digest);
    device<<<TRIES / 128, 128>>>(digest);
    cudaDeviceSynchronize();
    for (int f = 0; f < FUNCTIONS; f++)
        printf("%-18s %016llx%s", names[f], digest[f], f % 3 == 2 ? "\n" : "  ");
    printf("\n");
    cudaFree(digest);
}
