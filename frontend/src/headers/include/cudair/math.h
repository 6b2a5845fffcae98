/* Mathematical functions: the C library's on the host and CUDA's on the device, both without a body. */
#ifndef CUDAIR_MATH_H
#define CUDAIR_MATH_H

/* In both places, double and float, as the C library has them. The host's declaration is the one of
   <math.h>, which a program need not include. */
#define __CUDAIR_F1(N)                                                                                 \
    double N(double) noexcept;                                                                         \
    float N##f(float) noexcept;                                                                        \
    __device__ double N(double) noexcept;                                                              \
    __device__ float N##f(float) noexcept;
#define __CUDAIR_F2(N)                                                                                 \
    double N(double, double) noexcept;                                                                 \
    float N##f(float, float) noexcept;                                                                 \
    __device__ double N(double, double) noexcept;                                                      \
    __device__ float N##f(float, float) noexcept;
#define __CUDAIR_F3(N)                                                                                 \
    double N(double, double, double) noexcept;                                                         \
    float N##f(float, float, float) noexcept;                                                          \
    __device__ double N(double, double, double) noexcept;                                              \
    __device__ float N##f(float, float, float) noexcept;
/* Double, float; a result or an argument of another type. */
#define __CUDAIR_FR(R, N)                                                                              \
    R N(double) noexcept;                                                                              \
    R N##f(float) noexcept;                                                                            \
    __device__ R N(double) noexcept;                                                                   \
    __device__ R N##f(float) noexcept;
#define __CUDAIR_FA(N, A)                                                                              \
    double N(double, A) noexcept;                                                                      \
    float N##f(float, A) noexcept;                                                                     \
    __device__ double N(double, A) noexcept;                                                           \
    __device__ float N##f(float, A) noexcept;

extern "C" {
__CUDAIR_F1(sqrt) __CUDAIR_F1(cbrt) __CUDAIR_F1(fabs)
__CUDAIR_F1(exp) __CUDAIR_F1(exp2) __CUDAIR_F1(exp10) __CUDAIR_F1(expm1)
__CUDAIR_F1(log) __CUDAIR_F1(log2) __CUDAIR_F1(log10) __CUDAIR_F1(log1p) __CUDAIR_F1(logb)
__CUDAIR_F1(sin) __CUDAIR_F1(cos) __CUDAIR_F1(tan) __CUDAIR_F1(asin) __CUDAIR_F1(acos) __CUDAIR_F1(atan)
__CUDAIR_F1(sinh) __CUDAIR_F1(cosh) __CUDAIR_F1(tanh)
__CUDAIR_F1(asinh) __CUDAIR_F1(acosh) __CUDAIR_F1(atanh)
__CUDAIR_F1(floor) __CUDAIR_F1(ceil) __CUDAIR_F1(trunc) __CUDAIR_F1(round) __CUDAIR_F1(rint)
__CUDAIR_F1(nearbyint)
__CUDAIR_F1(erf) __CUDAIR_F1(erfc) __CUDAIR_F1(tgamma) __CUDAIR_F1(lgamma)
__CUDAIR_F1(j0) __CUDAIR_F1(j1) __CUDAIR_F1(y0) __CUDAIR_F1(y1)
__CUDAIR_F2(pow) __CUDAIR_F2(fmod) __CUDAIR_F2(remainder) __CUDAIR_F2(atan2) __CUDAIR_F2(hypot)
__CUDAIR_F2(fmax) __CUDAIR_F2(fmin) __CUDAIR_F2(fdim) __CUDAIR_F2(copysign) __CUDAIR_F2(nextafter)
__CUDAIR_F3(fma)
__CUDAIR_FR(int, ilogb) __CUDAIR_FR(long, lrint) __CUDAIR_FR(long, lround)
__CUDAIR_FR(long long, llrint) __CUDAIR_FR(long long, llround)
__CUDAIR_FA(ldexp, int) __CUDAIR_FA(scalbn, int) __CUDAIR_FA(scalbln, long) __CUDAIR_FA(frexp, int*)

double modf(double, double*) noexcept;
float modff(float, float*) noexcept;
__device__ double modf(double, double*) noexcept;
__device__ float modff(float, float*) noexcept;
double remquo(double, double, int*) noexcept;
float remquof(float, float, int*) noexcept;
__device__ double remquo(double, double, int*) noexcept;
__device__ float remquof(float, float, int*) noexcept;
void sincos(double, double*, double*) noexcept;
void sincosf(float, float*, float*) noexcept;
/* A device has the two functions one after the other: their places may be registers then. */
__CUDAIR_D void sincos(double x, double* s, double* c) noexcept { *s = sin(x); *c = cos(x); }
__CUDAIR_D void sincosf(float x, float* s, float* c) noexcept { *s = sinf(x); *c = cosf(x); }
double jn(int, double) noexcept;
float jnf(int, float) noexcept;
double yn(int, double) noexcept;
float ynf(int, float) noexcept;
__device__ double jn(int, double) noexcept;
__device__ float jnf(int, float) noexcept;
__device__ double yn(int, double) noexcept;
__device__ float ynf(int, float) noexcept;
double nan(const char*) noexcept;
float nanf(const char*) noexcept;
__device__ double nan(const char*) noexcept;
__device__ float nanf(const char*) noexcept;

__device__ int abs(int) noexcept;
__device__ long labs(long) noexcept;
__device__ long long llabs(long long) noexcept;

/* CUDA's own, in both places. */
#define __CUDAIR_C1(N)                                                                                 \
    __host__ __device__ double N(double);                                                              \
    __host__ __device__ float N##f(float);
#define __CUDAIR_C3(N)                                                                                 \
    __host__ __device__ double N(double, double, double);                                              \
    __host__ __device__ float N##f(float, float, float);
#define __CUDAIR_C4(N)                                                                                 \
    __host__ __device__ double N(double, double, double, double);                                      \
    __host__ __device__ float N##f(float, float, float, float);
#define __CUDAIR_CN(N)                                                                                 \
    __device__ double N(int, const double*);                                                           \
    __device__ float N##f(int, const float*);
__CUDAIR_C1(rsqrt) __CUDAIR_C1(rcbrt) __CUDAIR_C1(sinpi) __CUDAIR_C1(cospi)
__CUDAIR_C1(erfinv) __CUDAIR_C1(erfcinv) __CUDAIR_C1(erfcx) __CUDAIR_C1(normcdf) __CUDAIR_C1(normcdfinv)
__CUDAIR_C1(cyl_bessel_i0) __CUDAIR_C1(cyl_bessel_i1)
__CUDAIR_C3(norm3d) __CUDAIR_C3(rnorm3d)
__CUDAIR_C4(norm4d) __CUDAIR_C4(rnorm4d)
__CUDAIR_CN(norm) __CUDAIR_CN(rnorm)
__host__ __device__ double rhypot(double, double);
__host__ __device__ float rhypotf(float, float);
__host__ __device__ float fdividef(float, float);
__host__ __device__ void sincospi(double, double*, double*);
__host__ __device__ void sincospif(float, float*, float*);
}

#undef __CUDAIR_F1
#undef __CUDAIR_F2
#undef __CUDAIR_F3
#undef __CUDAIR_FR
#undef __CUDAIR_FA
#undef __CUDAIR_C1
#undef __CUDAIR_C3
#undef __CUDAIR_C4
#undef __CUDAIR_CN

#endif
