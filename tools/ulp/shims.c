/* What libdevice's bitcode calls: PTX instructions, written for this machine's processor. What the
   hardware approximates is computed more exactly than it does and rounded as its result is. */
#include <fenv.h>
#include <immintrin.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef unsigned __int128 u128;

static float bits_f(uint32_t u) { float f; memcpy(&f, &u, 4); return f; }
static uint32_t f_bits(float f) { uint32_t u; memcpy(&u, &f, 4); return u; }
static double bits_d(uint64_t u) { double d; memcpy(&d, &u, 8); return d; }
static uint64_t d_bits(double d) { uint64_t u; memcpy(&u, &d, 8); return u; }
static float flush(float x) { return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x; }
static double flush_d(double x) { return fpclassify(x) == FP_SUBNORMAL ? copysign(0, x) : x; }

/* NaN is one pattern on the GPU. */
static float nan_f(float x) { return x != x ? bits_f(0x7fffffff) : x; }
static double nan_d(double x) { return x != x ? bits_d(0xfff8000000000000u) : x; }

#define MODE(M) ((M) == 'n' ? FE_TONEAREST : (M) == 'z' ? FE_TOWARDZERO : (M) == 'm' ? FE_DOWNWARD : FE_UPWARD)
#define ROUNDED(T, EXPR, M)                                                                                \
    volatile T r;                                                                                          \
    if ((M) == 'n') { r = EXPR; } else { fesetround(MODE(M)); r = EXPR; fesetround(FE_TONEAREST); }

#define F2(NAME, R, CH, EXPR)                                                                              \
    float nv_##NAME##_##R##_f(float a_, float b_) { volatile float a = a_, b = b_; ROUNDED(float, EXPR, CH) return nan_f(r); } \
    float nv_##NAME##_##R##_ftz_f(float a_, float b_) { volatile float a = flush(a_), b = flush(b_); ROUNDED(float, EXPR, CH) return flush(nan_f(r)); } \
    double nv_##NAME##_##R##_d(double a_, double b_) { volatile double a = a_, b = b_; ROUNDED(double, EXPR, CH) return nan_d(r); }
#define F1(NAME, R, CH, EF, ED)                                                                            \
    float nv_##NAME##_##R##_f(float a_) { volatile float a = a_; ROUNDED(float, EF, CH) return nan_f(r); } \
    float nv_##NAME##_##R##_ftz_f(float a_) { volatile float a = flush(a_); ROUNDED(float, EF, CH) return flush(nan_f(r)); } \
    double nv_##NAME##_##R##_d(double a_) { volatile double a = a_; ROUNDED(double, ED, CH) return nan_d(r); }
#define F3(NAME, R, CH)                                                                                    \
    float nv_##NAME##_##R##_f(float a_, float b_, float c_) { volatile float a = a_, b = b_, c = c_; ROUNDED(float, fmaf(a, b, c), CH) return nan_f(r); } \
    float nv_##NAME##_##R##_ftz_f(float a_, float b_, float c_) { volatile float a = flush(a_), b = flush(b_), c = flush(c_); ROUNDED(float, fmaf(a, b, c), CH) return flush(nan_f(r)); } \
    double nv_##NAME##_##R##_d(double a_, double b_, double c_) { volatile double a = a_, b = b_, c = c_; ROUNDED(double, fma(a, b, c), CH) return nan_d(r); }
#define ALL(R, CH)                                                                                         \
    F2(add, R, CH, a + b) F2(sub, R, CH, a - b) F2(mul, R, CH, a * b) F2(div, R, CH, a / b)                \
    F1(rcp, R, CH, 1.0f / a, 1.0 / a) F1(sqrt, R, CH, sqrtf(a), sqrt(a)) F3(fma, R, CH)                   \
    float nv_d2f_##R(double x_) { volatile double x = x_; ROUNDED(float, (float)x, CH) return nan_f(r); }  \
    float nv_d2f_##R##_ftz(double x_) { return flush(nv_d2f_##R(x_)); }                                    \
    float nv_i2f_##R(int x_) { volatile int x = x_; ROUNDED(float, (float)x, CH) return r; }               \
    float nv_ui2f_##R(unsigned x_) { volatile unsigned x = x_; ROUNDED(float, (float)x, CH) return r; }    \
    float nv_ll2f_##R(int64_t x_) { volatile int64_t x = x_; ROUNDED(float, (float)x, CH) return r; }      \
    double nv_ll2d_##R(int64_t x_) { volatile int64_t x = x_; ROUNDED(double, (double)x, CH) return r; }   \
    TO_INT(R, CH, f, float, i, int32_t, -2147483648.0, 2147483648.0, 0)                                    \
    TO_INT(R, CH, f, float, ui, uint32_t, 0.0, 4294967296.0, 0)                                            \
    TO_INT(R, CH, f, float, ll, int64_t, -9223372036854775808.0, 9223372036854775808.0, INT64_MIN)         \
    TO_INT(R, CH, f, float, ull, uint64_t, 0.0, 18446744073709551616.0, UINT64_C(1) << 63)                 \
    TO_INT(R, CH, d, double, i, int32_t, -2147483648.0, 2147483648.0, INT32_MIN)                           \
    TO_INT(R, CH, d, double, ui, uint32_t, 0.0, 4294967296.0, UINT32_C(1) << 31)                           \
    TO_INT(R, CH, d, double, ll, int64_t, -9223372036854775808.0, 9223372036854775808.0, INT64_MIN)        \
    TO_INT(R, CH, d, double, ull, uint64_t, 0.0, 18446744073709551616.0, UINT64_C(1) << 63)
static double whole(double x, char mode) {
    return mode == 'n' ? nearbyint(x) : mode == 'z' ? trunc(x) : mode == 'm' ? floor(x) : ceil(x);
}
#define TO_INT(R, CH, F, FT, I, IT, LOW, HIGH, NAN_)                                                       \
    IT nv_##F##2##I##_##R(FT x) {                                                                          \
        if (x != x) return NAN_;                                                                           \
        double w = whole(x, CH);                                                                           \
        IT low = (IT)(LOW), high = (IT)((I##_signed) ? ((UINT64_C(1) << (8 * sizeof(IT) - 1)) - 1) : ~UINT64_C(0)); \
        return w < LOW ? low : w >= HIGH ? high : (IT)w;                                                   \
    }                                                                                                      \
    IT nv_##F##2##I##_##R##_ftz(FT x) { return nv_##F##2##I##_##R(sizeof(FT) == 4 ? (FT)flush((float)x) : x); }
enum { i_signed = 1, ll_signed = 1, ui_signed = 0, ull_signed = 0 };
ALL(rn, 'n') ALL(rz, 'z') ALL(rm, 'm') ALL(rp, 'p')

/* Unsigned 64 bits to floating point in a mode. */
#define ULL(R, CH)                                                                                         \
    float nv_ull2f_##R(uint64_t x_) { volatile uint64_t x = x_; ROUNDED(float, (float)(long double)x, CH) return r; }   \
    double nv_ull2d_##R(uint64_t x_) { volatile uint64_t x = x_; ROUNDED(double, (double)(long double)x, CH) return r; }
ULL(rn, 'n') ULL(rz, 'z') ULL(rm, 'm') ULL(rp, 'p')
double nv_i2d_rn(int x) { return x; }
double nv_ui2d_rn(unsigned x) { return x; }

#define UNARY(NAME, F)                                                                                     \
    float nv_##NAME##_f(float x) { return nan_f(F##f(x)); }                                                \
    float nv_##NAME##_ftz_f(float x) { return nan_f(F##f(flush(x))); }                                     \
    double nv_##NAME##_d(double x) { return nan_d(F(x)); }
UNARY(floor, floor) UNARY(ceil, ceil) UNARY(trunc, trunc) UNARY(fabs, fabs)
/* Its PTX is `cvt.rni`. */
UNARY(round, rint)
float nv_saturate_f(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
float nv_saturate_ftz_f(float x) { return nv_saturate_f(flush(x)); }
static float min_f(float a, float b) { return a != a ? b : b != b ? a : a == b ? (signbit(a) ? a : b) : a < b ? a : b; }
static float max_f(float a, float b) { return a != a ? b : b != b ? a : a == b ? (signbit(a) ? b : a) : a > b ? a : b; }
float nv_fmin_f(float a, float b) { return nan_f(min_f(a, b)); }
float nv_fmax_f(float a, float b) { return nan_f(max_f(a, b)); }
float nv_fmin_ftz_f(float a, float b) { return nan_f(min_f(flush(a), flush(b))); }
float nv_fmax_ftz_f(float a, float b) { return nan_f(max_f(flush(a), flush(b))); }
double nv_fmin_d(double a, double b) { return a != a ? nan_d(b) : b != b ? a : a == b ? (signbit(a) ? a : b) : a < b ? a : b; }
double nv_fmax_d(double a, double b) { return a != a ? nan_d(b) : b != b ? a : a == b ? (signbit(a) ? b : a) : a > b ? a : b; }

int nv_d2i_hi(double x) { return (int)(d_bits(x) >> 32); }
int nv_d2i_lo(double x) { return (int)d_bits(x); }
double nv_lohi_i2d(int lo, int hi) { return bits_d((uint64_t)(uint32_t)hi << 32 | (uint32_t)lo); }
short nv_f2h_rn(float x) { return (short)_cvtss_sh(x, 0); }
short nv_f2h_rn_ftz(float x) { return (short)_cvtss_sh(flush(x), 0); }
int nv_mulhi_i(int a, int b) { return (int)((int64_t)a * b >> 32); }
int nv_mulhi_ui(unsigned a, unsigned b) { return (int)((uint64_t)a * b >> 32); }
int64_t nv_mulhi_ll(int64_t a, int64_t b) { return (int64_t)((__int128)a * b >> 64); }
int64_t nv_mulhi_ull(uint64_t a, uint64_t b) { return (int64_t)((u128)a * b >> 64); }
int nv_sad_i(int a, int b, int c) { return (int)((a > b ? (unsigned)a - b : (unsigned)b - a) + c); }
int nv_sad_ui(unsigned a, unsigned b, unsigned c) { return (int)((a > b ? a - b : b - a) + c); }
int nv_prmt(unsigned a, unsigned b, unsigned s) {
    uint64_t both = (uint64_t)b << 32 | a;
    unsigned r = 0;
    for (int i = 0; i < 4; i++) {
        unsigned pick = s >> 4 * i & 15, byte = both >> 8 * (pick & 7) & 255;
        if (pick & 8) byte = byte & 128 ? 255 : 0;
        r |= byte << 8 * i;
    }
    return (int)r;
}
int nv_find_bit(int x) { return x ? __builtin_clz((unsigned)x) : -1; }
double nv_select_equal_d(double a, double b, double c, double d) { return !(a < b) && !(a > b) ? c : d; }

/* Approximations. */
float nv_rcp_approx_ftz_f(float x) { return flush((float)(1.0 / (double)flush(x))); }
float nv_rsqrt_approx_f(float x) { return nan_f((float)(1.0 / sqrt((double)x))); }
float nv_rsqrt_approx_ftz_f(float x) { return nv_rsqrt_approx_f(flush(x)); }
float nv_sqrt_approx_f(float x) { return nan_f(sqrtf(x)); }
float nv_sqrt_approx_ftz_f(float x) { return nv_sqrt_approx_f(flush(x)); }
float nv_ex2_approx_f(float x) { return (float)exp2((double)x); }
float nv_ex2_approx_ftz_f(float x) { return flush(nv_ex2_approx_f(flush(x))); }
float nv_lg2_approx_f(float x) { return nan_f((float)log2((double)x)); }
float nv_lg2_approx_ftz_f(float x) { return nv_lg2_approx_f(flush(x)); }
float nv_sin_approx_f(float x) { return nan_f((float)sin((double)x)); }
float nv_sin_approx_ftz_f(float x) { return nv_sin_approx_f(flush(x)); }
float nv_cos_approx_f(float x) { return nan_f((float)cos((double)x)); }
float nv_cos_approx_ftz_f(float x) { return nv_cos_approx_f(flush(x)); }
float nv_div_approx_f(float a, float b) { return nan_f((float)((double)a / b)); }
float nv_div_approx_ftz_f(float a, float b) { return flush(nv_div_approx_f(flush(a), flush(b))); }
float nv_tanh_approx_f32(float x) { return (float)tanh((double)x); }
/* These look at the upper word only and give only an upper word. */
static double upper(double x) { return bits_d(d_bits(x) & 0xffffffff00000000u); }
double nv_rcp_approx_ftz_d(double x) { return upper(flush_d(1.0 / flush_d(upper(x)))); }
double nv_rsqrt_approx_ftz_d(double x) { return nan_d(upper(1.0 / sqrt(flush_d(upper(x))))); }
/* The assembler's expansion, which the GPU's error confirms. */
double nv_rsqrt_approx_d(double x) {
    if (!(x > 0) || x > 1.7976931348623157e308) return nan_d(1.0 / sqrt(x));
    double scale = x < 0x1p-900 ? 0x1p400 : x > 0x1p900 ? 0x1p-400 : 1, root = x < 0x1p-900 ? 0x1p200 : x > 0x1p900 ? 0x1p-200 : 1;
    x *= scale;
    double y = upper(1.0 / sqrt(upper(x))), e = fma(x, -(y * y), 1.0);
    return fma(fma(0.375, e, 0.5), e * y, y) * root;
}

#define SHIFTS(W)                                                                                          \
    uint##W##_t nv_shl_##W(uint##W##_t x, uint##W##_t n) { return n < W ? x << n : 0; }                    \
    uint##W##_t nv_lshr_##W(uint##W##_t x, uint##W##_t n) { return n < W ? x >> n : 0; }                   \
    int##W##_t nv_ashr_##W(int##W##_t x, uint##W##_t n) { return x >> (n < W ? n : W - 1); }
SHIFTS(32) SHIFTS(64)

/* Arithmetic on several words. Pairs are returned as two registers. */
typedef struct { uint64_t lo, hi; } pair64;
pair64 nv_mad_wide(uint32_t a, uint32_t b, uint32_t c) {
    uint64_t r = (uint64_t)a * b + c;
    return (pair64){(uint32_t)r, r >> 32};
}
static pair64 split(u128 x) { return (pair64){(uint64_t)x, (uint64_t)(x >> 64)}; }
static u128 join(uint64_t lo, uint64_t hi) { return (u128)hi << 64 | lo; }
pair64 nv_add_128(uint64_t a, uint64_t b, uint64_t c, uint64_t d) { return split(join(a, b) + join(c, d)); }
pair64 nv_sub_128(uint64_t a, uint64_t b, uint64_t c, uint64_t d) { return split(join(a, b) - join(c, d)); }
pair64 nv_mul_128(uint64_t a, uint64_t b) { return split((u128)a * b); }
pair64 nv_mul_add_128(uint64_t a, uint64_t b, uint64_t c) { return split((u128)a * b + c); }
