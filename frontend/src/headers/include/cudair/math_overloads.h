/* The overloads for float and of min and max that CUDA puts into the global namespace. On the host they
   are templates, so that <cmath>'s own overloads, which come in by using-declarations, win over them. */
#ifndef CUDAIR_MATH_OVERLOADS_H
#define CUDAIR_MATH_OVERLOADS_H

/* The constants of <math.h>, as it spells them. */
#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define HUGE_VAL (__builtin_huge_val ())
#define HUGE_VALF (__builtin_huge_valf ())
#define INFINITY (__builtin_inff ())
#define NAN (__builtin_nanf (""))
#endif

template <class T>
struct __cudair_if_float;
template <>
struct __cudair_if_float<float> {
    typedef float type;
    typedef long integer;
    typedef long long wide;
    typedef bool truth;
};

#define __CUDAIR_O1(N)                                                                                 \
    __CUDAIR_D float N(float x) { return N##f(x); }                                                    \
    template <class T>                                                                                 \
    __CUDAIR_H typename __cudair_if_float<T>::type N(T x) {                                            \
        return N##f(x);                                                                                \
    }
#define __CUDAIR_O2(N)                                                                                 \
    __CUDAIR_D float N(float x, float y) { return N##f(x, y); }                                        \
    template <class T>                                                                                 \
    __CUDAIR_H typename __cudair_if_float<T>::type N(T x, T y) {                                       \
        return N##f(x, y);                                                                             \
    }
__CUDAIR_O1(sqrt) __CUDAIR_O1(cbrt) __CUDAIR_O1(fabs) __CUDAIR_O1(exp) __CUDAIR_O1(exp2)
__CUDAIR_O1(expm1) __CUDAIR_O1(log) __CUDAIR_O1(log2) __CUDAIR_O1(log10) __CUDAIR_O1(log1p)
__CUDAIR_O1(logb) __CUDAIR_O1(sin) __CUDAIR_O1(cos) __CUDAIR_O1(tan) __CUDAIR_O1(asin) __CUDAIR_O1(acos)
__CUDAIR_O1(atan) __CUDAIR_O1(sinh) __CUDAIR_O1(cosh) __CUDAIR_O1(tanh) __CUDAIR_O1(asinh)
__CUDAIR_O1(acosh) __CUDAIR_O1(atanh) __CUDAIR_O1(floor) __CUDAIR_O1(ceil) __CUDAIR_O1(trunc)
__CUDAIR_O1(round) __CUDAIR_O1(rint) __CUDAIR_O1(nearbyint) __CUDAIR_O1(erf) __CUDAIR_O1(erfc)
__CUDAIR_O1(tgamma) __CUDAIR_O1(lgamma)
__CUDAIR_O2(pow) __CUDAIR_O2(fmod) __CUDAIR_O2(remainder) __CUDAIR_O2(atan2) __CUDAIR_O2(hypot)
__CUDAIR_O2(fmax) __CUDAIR_O2(fmin) __CUDAIR_O2(fdim) __CUDAIR_O2(copysign) __CUDAIR_O2(nextafter)
#undef __CUDAIR_O1
#undef __CUDAIR_O2

/* An integer argument is a double, and no choice between float and double; and a call that mixes types is computed in double,
   as <cmath> has it. */
template <bool, class T>
struct __cudair_if {};
template <class T>
struct __cudair_if<true, T> {
    typedef T type;
};
#define __CUDAIR_INT1(R, N)                                                                            \
    template <class T>                                                                                 \
    __CUDAIR_D typename __cudair_if<__is_integral(T), R>::type N(T x) {                                \
        return N((double)x);                                                                           \
    }
#define __CUDAIR_INTX(N, A, B)                                                                         \
    template <class T>                                                                                 \
    __CUDAIR_D typename __cudair_if<__is_integral(T), double>::type N(T x, A) {                        \
        return N((double)x, B);                                                                        \
    }
#define __CUDAIR_MIXED(N)                                                                              \
    template <class T, class U>                                                                        \
    __CUDAIR_D typename __cudair_if<                                                                   \
        __is_arithmetic(T) && __is_arithmetic(U) && (__is_integral(T) || !__is_same(T, U)), double>::type \
    N(T x, U y) {                                                                                      \
        return N((double)x, (double)y);                                                                \
    }
__CUDAIR_INT1(double, sqrt) __CUDAIR_INT1(double, cbrt) __CUDAIR_INT1(double, fabs) __CUDAIR_INT1(double, exp)
__CUDAIR_INT1(double, exp2) __CUDAIR_INT1(double, expm1) __CUDAIR_INT1(double, log) __CUDAIR_INT1(double, log2)
__CUDAIR_INT1(double, log10) __CUDAIR_INT1(double, log1p) __CUDAIR_INT1(double, logb) __CUDAIR_INT1(double, sin)
__CUDAIR_INT1(double, cos) __CUDAIR_INT1(double, tan) __CUDAIR_INT1(double, asin) __CUDAIR_INT1(double, acos)
__CUDAIR_INT1(double, atan) __CUDAIR_INT1(double, sinh) __CUDAIR_INT1(double, cosh) __CUDAIR_INT1(double, tanh)
__CUDAIR_INT1(double, asinh) __CUDAIR_INT1(double, acosh) __CUDAIR_INT1(double, atanh) __CUDAIR_INT1(double, floor)
__CUDAIR_INT1(double, ceil) __CUDAIR_INT1(double, trunc) __CUDAIR_INT1(double, round) __CUDAIR_INT1(double, rint)
__CUDAIR_INT1(double, nearbyint) __CUDAIR_INT1(double, erf) __CUDAIR_INT1(double, erfc)
__CUDAIR_INT1(double, tgamma) __CUDAIR_INT1(double, lgamma) __CUDAIR_INT1(int, ilogb) __CUDAIR_INT1(long, lrint)
__CUDAIR_INT1(long, lround) __CUDAIR_INT1(long long, llrint) __CUDAIR_INT1(long long, llround)
__CUDAIR_MIXED(pow) __CUDAIR_MIXED(fmod) __CUDAIR_MIXED(remainder) __CUDAIR_MIXED(atan2) __CUDAIR_MIXED(hypot)
__CUDAIR_MIXED(fmax) __CUDAIR_MIXED(fmin) __CUDAIR_MIXED(fdim) __CUDAIR_MIXED(copysign) __CUDAIR_MIXED(nextafter)
__CUDAIR_INTX(ldexp, int e, e) __CUDAIR_INTX(scalbn, int e, e) __CUDAIR_INTX(scalbln, long e, e)
__CUDAIR_INTX(frexp, int* e, e)
template <class T>
__CUDAIR_D typename __cudair_if<__is_integral(T), double>::type fma(T x, T y, T z) {
    return fma((double)x, (double)y, (double)z);
}
template <class T>
__CUDAIR_D typename __cudair_if<__is_integral(T), double>::type remquo(T x, T y, int* q) {
    return remquo((double)x, (double)y, q);
}
#undef __CUDAIR_INTX
#undef __CUDAIR_MIXED

/* Overloads of other forms, for both sides. */
#define __CUDAIR_OX(N, A, B)                                                                           \
    __CUDAIR_D float N(float x, A) { return N##f(x, B); }                                              \
    template <class T>                                                                                 \
    __CUDAIR_H typename __cudair_if_float<T>::type N(T x, A) {                                         \
        return N##f(x, B);                                                                             \
    }
__CUDAIR_OX(ldexp, int e, e)
__CUDAIR_OX(scalbn, int e, e)
__CUDAIR_OX(scalbln, long e, e)
__CUDAIR_OX(frexp, int* e, e)
__CUDAIR_OX(modf, float* whole, whole)
#undef __CUDAIR_OX
__CUDAIR_D float fma(float x, float y, float z) { return fmaf(x, y, z); }
template <class T>
__CUDAIR_H typename __cudair_if_float<T>::type fma(T x, T y, T z) {
    return fmaf(x, y, z);
}
__CUDAIR_D float remquo(float x, float y, int* q) { return remquof(x, y, q); }
__CUDAIR_D int ilogb(float x) { return ilogbf(x); }
__CUDAIR_D long lrint(float x) { return lrintf(x); }
__CUDAIR_D long lround(float x) { return lroundf(x); }
__CUDAIR_D long long llrint(float x) { return llrintf(x); }
__CUDAIR_D long long llround(float x) { return llroundf(x); }
__CUDAIR_HD float rsqrt(float x) { return rsqrtf(x); }
__CUDAIR_HD float rcbrt(float x) { return rcbrtf(x); }
__CUDAIR_HD float sinpi(float x) { return sinpif(x); }
__CUDAIR_HD float cospi(float x) { return cospif(x); }
__CUDAIR_HD float erfinv(float x) { return erfinvf(x); }
__CUDAIR_HD float erfcinv(float x) { return erfcinvf(x); }
__CUDAIR_HD float erfcx(float x) { return erfcxf(x); }
__CUDAIR_HD float normcdf(float x) { return normcdff(x); }
__CUDAIR_HD float normcdfinv(float x) { return normcdfinvf(x); }
__CUDAIR_HD void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }
__CUDAIR_D void sincos(float x, float* s, float* c) { sincosf(x, s, c); }

/* abs by type. The host's come with the C++ library's <stdlib.h>, unless that is passed by. */
#if defined(__CUDAIR_PLAIN_C)
__CUDAIR_H float abs(float x) { return __builtin_fabsf(x); }
__CUDAIR_H double abs(double x) { return __builtin_fabs(x); }
__CUDAIR_H long abs(long x) { return __builtin_labs(x); }
__CUDAIR_H long long abs(long long x) { return __builtin_llabs(x); }
extern "C" int abs(int) noexcept;
#endif
__CUDAIR_D float abs(float x) { return fabsf(x); }
__CUDAIR_D double abs(double x) { return fabs(x); }
__CUDAIR_D long abs(long x) { return labs(x); }
__CUDAIR_D long long abs(long long x) { return llabs(x); }
/* The C++ library has taken the host's into its namespace, where it was read before. */
#ifdef _GLIBCXX_BITS_STD_ABS_H
namespace std {
using ::abs;
}
#endif

/* Classification. */
#define __CUDAIR_CLASS(N, E)                                                                           \
    __CUDAIR_D bool N(float x) { return E; }                                                           \
    __CUDAIR_D bool N(double x) { return E; }                                                          \
    template <class T>                                                                                 \
    __CUDAIR_H typename __cudair_if_float<T>::truth N(T x) {                                           \
        return E;                                                                                      \
    }
__CUDAIR_CLASS(isnan, __builtin_isnan(x))
__CUDAIR_CLASS(isinf, __builtin_isinf(x))
__CUDAIR_CLASS(isfinite, __builtin_isfinite(x))
__CUDAIR_CLASS(signbit, __builtin_signbit(x))
#undef __CUDAIR_CLASS
__CUDAIR_D bool isnormal(float x) { return __builtin_isnormal(x); }
__CUDAIR_D bool isnormal(double x) { return __builtin_isnormal(x); }
__CUDAIR_INT1(bool, isnan) __CUDAIR_INT1(bool, isinf) __CUDAIR_INT1(bool, isfinite) __CUDAIR_INT1(bool, signbit)
__CUDAIR_INT1(bool, isnormal)
#undef __CUDAIR_INT1
extern "C" {
__device__ int __isnan(double x) noexcept;
__device__ int __isnanf(float x) noexcept;
__device__ int __isinf(double x) noexcept;
__device__ int __isinff(float x) noexcept;
__device__ int __finite(double x) noexcept;
__device__ int __finitef(float x) noexcept;
__device__ int __signbit(double x) noexcept;
__device__ int __signbitf(float x) noexcept;
}

/* min and max: of one type, and of the mixtures that CUDA declares. */
#define __CUDAIR_MM(R, A, B)                                                                           \
    __CUDAIR_HD R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; }                                  \
    __CUDAIR_HD R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }
__CUDAIR_MM(int, int, int)
__CUDAIR_MM(unsigned int, unsigned int, unsigned int)
__CUDAIR_MM(unsigned int, int, unsigned int)
__CUDAIR_MM(unsigned int, unsigned int, int)
__CUDAIR_MM(long, long, long)
__CUDAIR_MM(unsigned long, unsigned long, unsigned long)
__CUDAIR_MM(unsigned long, long, unsigned long)
__CUDAIR_MM(unsigned long, unsigned long, long)
__CUDAIR_MM(long long, long long, long long)
__CUDAIR_MM(unsigned long long, unsigned long long, unsigned long long)
__CUDAIR_MM(unsigned long long, long long, unsigned long long)
__CUDAIR_MM(unsigned long long, unsigned long long, long long)
#undef __CUDAIR_MM
__CUDAIR_HD float min(float a, float b) { return fminf(a, b); }
__CUDAIR_HD double min(double a, double b) { return fmin(a, b); }
__CUDAIR_HD double min(float a, double b) { return fmin((double)a, b); }
__CUDAIR_HD double min(double a, float b) { return fmin(a, (double)b); }
__CUDAIR_HD float max(float a, float b) { return fmaxf(a, b); }
__CUDAIR_HD double max(double a, double b) { return fmax(a, b); }
__CUDAIR_HD double max(float a, double b) { return fmax((double)a, b); }
__CUDAIR_HD double max(double a, float b) { return fmax(a, (double)b); }
extern "C" {
__CUDAIR_D unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
__CUDAIR_D unsigned int umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
__CUDAIR_D long long llmin(long long a, long long b) { return a < b ? a : b; }
__CUDAIR_D long long llmax(long long a, long long b) { return a > b ? a : b; }
__CUDAIR_D unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
__CUDAIR_D unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
}

#endif
