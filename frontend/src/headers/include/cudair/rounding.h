/* Floating-point intrinsics: fast approximations, operations with a rounding mode, conversions, bits. */
#ifndef CUDAIR_ROUNDING_H
#define CUDAIR_ROUNDING_H

extern "C" {
/* Approximations of the hardware. */
#define __CUDAIR_FAST(N) __device__ float N(float x);
__CUDAIR_FAST(__sinf) __CUDAIR_FAST(__cosf) __CUDAIR_FAST(__tanf) __CUDAIR_FAST(__expf)
__CUDAIR_FAST(__exp10f) __CUDAIR_FAST(__logf) __CUDAIR_FAST(__log2f) __CUDAIR_FAST(__log10f)
__CUDAIR_FAST(__tanhf) __CUDAIR_FAST(__frsqrt_rn)
#undef __CUDAIR_FAST
__device__ float __powf(float x, float y);
__device__ float __fdividef(float x, float y);
__CUDAIR_D void __sincosf(float x, float* s, float* c) { *s = __sinf(x); *c = __cosf(x); }

/* To nearest even, towards zero, up, down. */
#define __CUDAIR_R1(T, N)                                                                              \
    __device__ T N##_rn(T x);                                                                          \
    __device__ T N##_rz(T x);                                                                          \
    __device__ T N##_ru(T x);                                                                          \
    __device__ T N##_rd(T x);
#define __CUDAIR_R2(T, N)                                                                              \
    __device__ T N##_rn(T x, T y);                                                                     \
    __device__ T N##_rz(T x, T y);                                                                     \
    __device__ T N##_ru(T x, T y);                                                                     \
    __device__ T N##_rd(T x, T y);
#define __CUDAIR_R3(T, N)                                                                              \
    __device__ T N##_rn(T x, T y, T z);                                                                \
    __device__ T N##_rz(T x, T y, T z);                                                                \
    __device__ T N##_ru(T x, T y, T z);                                                                \
    __device__ T N##_rd(T x, T y, T z);
__CUDAIR_R2(float, __fadd) __CUDAIR_R2(float, __fsub) __CUDAIR_R2(float, __fmul) __CUDAIR_R2(float, __fdiv)
__CUDAIR_R1(float, __frcp) __CUDAIR_R1(float, __fsqrt) __CUDAIR_R3(float, __fmaf)
__CUDAIR_R2(double, __dadd) __CUDAIR_R2(double, __dsub) __CUDAIR_R2(double, __dmul)
__CUDAIR_R2(double, __ddiv) __CUDAIR_R1(double, __drcp) __CUDAIR_R1(double, __dsqrt)
__CUDAIR_R3(double, __fma)
__CUDAIR_R3(float, __fmaf_ieee)
#undef __CUDAIR_R1
#undef __CUDAIR_R2
#undef __CUDAIR_R3

/* Conversions with a rounding mode. Out of range saturates; not a number gives 0 or the extreme. */
#define __CUDAIR_CVT(R, N, T)                                                                          \
    __device__ R N##_rn(T x);                                                                          \
    __device__ R N##_rz(T x);                                                                          \
    __device__ R N##_ru(T x);                                                                          \
    __device__ R N##_rd(T x);
/* To integers: what does not fit is the least or the greatest one, as with any conversion of a device. */
#define __CUDAIR_TO(T, N, F, S)                                                                        \
    __CUDAIR_D T N##_rn(F x) { return (T)__builtin_rint##S(x); }                                       \
    __CUDAIR_D T N##_rz(F x) { return (T)x; }                                                          \
    __CUDAIR_D T N##_ru(F x) { return (T)__builtin_ceil##S(x); }                                       \
    __CUDAIR_D T N##_rd(F x) { return (T)__builtin_floor##S(x); }
__CUDAIR_TO(int, __float2int, float, f)
__CUDAIR_TO(unsigned int, __float2uint, float, f)
__CUDAIR_TO(long long, __float2ll, float, f)
__CUDAIR_TO(unsigned long long, __float2ull, float, f)
__CUDAIR_TO(int, __double2int, double, )
__CUDAIR_TO(unsigned int, __double2uint, double, )
__CUDAIR_TO(long long, __double2ll, double, )
__CUDAIR_TO(unsigned long long, __double2ull, double, )
#undef __CUDAIR_TO
__CUDAIR_CVT(float, __double2float, double)
__CUDAIR_CVT(float, __int2float, int)
__CUDAIR_CVT(float, __uint2float, unsigned int)
__CUDAIR_CVT(float, __ll2float, long long)
__CUDAIR_CVT(float, __ull2float, unsigned long long)
__CUDAIR_CVT(double, __ll2double, long long)
__CUDAIR_CVT(double, __ull2double, unsigned long long)
#undef __CUDAIR_CVT
__device__ double __int2double_rn(int x);
__device__ double __uint2double_rn(unsigned int x);

/* Bits. */
__device__ int __float_as_int(float x);
__device__ unsigned int __float_as_uint(float x);
__device__ long long __double_as_longlong(double x);
__device__ float __int_as_float(int x);
__device__ float __uint_as_float(unsigned int x);
__device__ double __longlong_as_double(long long x);
}

__CUDAIR_D int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
__CUDAIR_D int __double2loint(double x) { return (int)__double_as_longlong(x); }
__CUDAIR_D double __hiloint2double(int hi, int lo) {
    return __longlong_as_double((long long)(((unsigned long long)(unsigned int)hi << 32) | (unsigned int)lo));
}
/* Into [0, 1]; not a number becomes 0. */
__CUDAIR_D float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
__CUDAIR_D float saturate(float x) { return __saturatef(x); }

/* Names without a rounding mode that older programs use. */
__CUDAIR_D double fdivide(double x, double y) { return x / y; }
__CUDAIR_D int float2int(float x, cudaRoundMode mode = cudaRoundZero) {
    return mode == cudaRoundNearest  ? __float2int_rn(x)
           : mode == cudaRoundPosInf ? __float2int_ru(x)
           : mode == cudaRoundMinInf ? __float2int_rd(x)
                                     : __float2int_rz(x);
}
__CUDAIR_D unsigned int float2uint(float x, cudaRoundMode mode = cudaRoundZero) {
    return mode == cudaRoundNearest  ? __float2uint_rn(x)
           : mode == cudaRoundPosInf ? __float2uint_ru(x)
           : mode == cudaRoundMinInf ? __float2uint_rd(x)
                                     : __float2uint_rz(x);
}
__CUDAIR_D float int2float(int x, cudaRoundMode mode = cudaRoundNearest) {
    return mode == cudaRoundZero     ? __int2float_rz(x)
           : mode == cudaRoundPosInf ? __int2float_ru(x)
           : mode == cudaRoundMinInf ? __int2float_rd(x)
                                     : __int2float_rn(x);
}
__CUDAIR_D float uint2float(unsigned int x, cudaRoundMode mode = cudaRoundNearest) {
    return mode == cudaRoundZero     ? __uint2float_rz(x)
           : mode == cudaRoundPosInf ? __uint2float_ru(x)
           : mode == cudaRoundMinInf ? __uint2float_rd(x)
                                     : __uint2float_rn(x);
}

#endif
