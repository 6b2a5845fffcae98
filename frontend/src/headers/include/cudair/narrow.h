/* What the 16-bit floating formats share: bits, rounding from wider formats in each mode, integers. A rounding to a
   narrower format twice is right where the first one is exact or rounds to odd (the last bit is a sticky one). */
#ifndef CUDAIR_NARROW_H
#define CUDAIR_NARROW_H

#include <cuda_runtime.h>

extern "C" {
/* The same bits as another type; each is one instruction. */
__host__ __device__ unsigned short __cudair_bits_u16(_Float16 x);
__host__ __device__ unsigned int __cudair_bits_u32(float x);
__host__ __device__ unsigned long long __cudair_bits_u64(double x);
__host__ __device__ _Float16 __cudair_bits_f16(unsigned short x);
__host__ __device__ float __cudair_bits_f32(unsigned int x);
__host__ __device__ double __cudair_bits_f64(unsigned long long x);
}

/* To binary32, rounded to odd. */
__CUDAIR_HD float __cudair_odd(double x) {
    float r = (float)x;
    unsigned int bits = __cudair_bits_u32(r);
    if (x != x || (double)r == x || (bits & 1u))
        return r;
    bool away = (double)(r < 0 ? -r : r) > (x < 0 ? -x : x);
    return __cudair_bits_f32(away ? bits - 1 : bits + 1);
}
/* The sum in binary64, rounded to odd. */
__CUDAIR_HD double __cudair_odd_sum(double a, double b) {
    double s = a + b;
    double t = s - a;
    double error = (a - (s - t)) + (b - t);
    unsigned long long bits = __cudair_bits_u64(s);
    /* Of infinities and what is not a number the error is none. */
    if (error != error || error == 0 || (bits & 1u))
        return s;
    return __cudair_bits_f64((error > 0) == (s > 0) ? bits + 1 : bits - 1);
}
/* An integer in binary32, rounded to odd. */
__CUDAIR_HD float __cudair_odd_integer(unsigned long long magnitude, bool negative) {
    unsigned int exponent = 0;
    if (magnitude >> 24) {
        exponent = 40u - (unsigned int)__builtin_clzll(magnitude);
        unsigned long long lost = magnitude & ((1ull << exponent) - 1);
        magnitude = magnitude >> exponent | (lost != 0);
    }
    float r = (float)(unsigned int)magnitude * __cudair_bits_f32((127u + exponent) << 23);
    return negative ? -r : r;
}
__CUDAIR_HD float __cudair_odd_signed(long long x) {
    return __cudair_odd_integer(x < 0 ? 0ull - (unsigned long long)x : (unsigned long long)x, x < 0);
}

/* The neighbour above and below, of a finite number's bits. */
__CUDAIR_HD unsigned short __cudair_above(unsigned short r) {
    return (unsigned short)((r & 0x8000u) == 0 ? r + 1 : r == 0x8000u ? 1 : r - 1);
}
__CUDAIR_HD unsigned short __cudair_below(unsigned short r) {
    return (unsigned short)((r & 0x8000u) != 0 ? r + 1 : r == 0 ? 0x8001 : r - 1);
}

/* binary16: the value of bits, and the bits of a value. As a number of binary32 that a program sees there is one NaN
   (PTX ISA, "cvt"), whatever the bits were. */
__CUDAIR_HD float __cudair_half_value(unsigned short bits) { return (float)__cudair_bits_f16(bits); }
__CUDAIR_HD float __cudair_half_float(unsigned short bits) {
    return (bits & 0x7fffu) > 0x7c00u ? __cudair_bits_f32(0x7fffffffu) : __cudair_half_value(bits);
}
__CUDAIR_HD unsigned short __cudair_half_rn(float x) {
    return x != x ? (unsigned short)0x7fff : __cudair_bits_u16((_Float16)x);
}
__CUDAIR_HD unsigned short __cudair_half_fma(unsigned short a, unsigned short b, unsigned short c) {
    unsigned short r =
        __cudair_bits_u16(__builtin_fmaf16(__cudair_bits_f16(a), __cudair_bits_f16(b), __cudair_bits_f16(c)));
    return (r & 0x7fffu) > 0x7c00u ? (unsigned short)0x7fff : r;
}
/* bfloat16: the upper half of binary32. */
__CUDAIR_HD float __cudair_bf16_value(unsigned short bits) { return __cudair_bits_f32((unsigned int)bits << 16); }
__CUDAIR_HD float __cudair_bf16_float(unsigned short bits) { return __cudair_bf16_value(bits); }
__CUDAIR_HD unsigned short __cudair_bf16_rn(float x) {
    unsigned int bits = __cudair_bits_u32(x);
    return x != x ? (unsigned short)0x7fff : (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
/* Rounded once: the product of two is exact in binary64. */
__CUDAIR_HD unsigned short __cudair_bf16_fma(unsigned short a, unsigned short b, unsigned short c) {
    double product = (double)__cudair_bf16_value(a) * (double)__cudair_bf16_value(b);
    return __cudair_bf16_rn(__cudair_odd(__cudair_odd_sum(product, (double)__cudair_bf16_value(c))));
}
#define __CUDAIR_DIRECTED(F)                                                                           \
    __CUDAIR_HD unsigned short __cudair_##F##_rd(float x) {                                            \
        unsigned short r = __cudair_##F##_rn(x);                                                       \
        return __cudair_##F##_value(r) > x ? __cudair_below(r) : r;                                    \
    }                                                                                                  \
    __CUDAIR_HD unsigned short __cudair_##F##_ru(float x) {                                            \
        unsigned short r = __cudair_##F##_rn(x);                                                       \
        return __cudair_##F##_value(r) < x ? __cudair_above(r) : r;                                    \
    }                                                                                                  \
    __CUDAIR_HD unsigned short __cudair_##F##_rz(float x) {                                            \
        unsigned short r = __cudair_##F##_rn(x);                                                       \
        float v = __cudair_##F##_value(r);                                                             \
        return (x > 0 && v > x) || (x < 0 && v < x) ? (unsigned short)(r - 1) : r;                     \
    }
__CUDAIR_DIRECTED(half)
__CUDAIR_DIRECTED(bf16)
#undef __CUDAIR_DIRECTED

/* An integral value as an integer, saturated; what is not a number gives N. Each bound is the least power of two
   beyond the range, or the bound itself where binary32 has it. */
#define __CUDAIR_SATURATE(S, T, LEAST, LO, HI, MOST, N)                                                \
    __CUDAIR_HD T __cudair_to_##S(float x) {                                                           \
        return x != x ? (T)(N) : x <= LO ? (T)(LEAST) : x >= HI ? (T)(MOST) : (T)x;                    \
    }
__CUDAIR_SATURATE(char, signed char, -128, -128.0f, 127.0f, 127, 0)
__CUDAIR_SATURATE(uchar, unsigned char, 0, 0.0f, 255.0f, 255, 0)
__CUDAIR_SATURATE(short, short, -32768, -32768.0f, 32767.0f, 32767, 0)
__CUDAIR_SATURATE(ushort, unsigned short, 0, 0.0f, 65535.0f, 65535, 0)
__CUDAIR_SATURATE(int, int, -2147483647 - 1, -0x1p31f, 0x1p31f, 2147483647, 0)
__CUDAIR_SATURATE(uint, unsigned int, 0, 0.0f, 0x1p32f, 4294967295u, 0)
__CUDAIR_SATURATE(ll, long long, -9223372036854775807ll - 1, -0x1p63f, 0x1p63f, 9223372036854775807ll,
                  -9223372036854775807ll - 1)
__CUDAIR_SATURATE(ull, unsigned long long, 0, 0.0f, 0x1p64f, 18446744073709551615ull, 0x8000000000000000ull)
#undef __CUDAIR_SATURATE

__CUDAIR_HD float __cudair_round_rn(float x) { return __builtin_rintf(x); }
__CUDAIR_HD float __cudair_round_rz(float x) { return __builtin_truncf(x); }
__CUDAIR_HD float __cudair_round_rd(float x) { return __builtin_floorf(x); }
__CUDAIR_HD float __cudair_round_ru(float x) { return __builtin_ceilf(x); }

#endif
