/* Floating formats of 8, 6 and 4 bits: one conversion from binary64, which holds every wider format exactly, and one to
   binary16, which holds every narrower one exactly (but powers of two alone, which are bfloat16's).

   A format is named by the bits of its exponent and of its fraction; the bias is that of IEEE 754. With `specials` 2
   the largest exponent means infinity and NaN (e5m2), with 1 the largest encoding alone is NaN (e4m3), with 0 every
   encoding is finite (the formats of the Open Compute Project's "Microscaling Formats", section 5.3). */
#ifndef CUDAIR_TINY_H
#define CUDAIR_TINY_H

#include <assert.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <device_types.h>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t {
    __NV_NOSAT,
    __NV_SATFINITE,
} __nv_saturation_t;

__CUDAIR_HD unsigned char __cudair_tiny(double x, int exponent, int fraction, int specials, __nv_saturation_t saturate,
                                        cudaRoundMode rounding) {
    assert(rounding == cudaRoundNearest || rounding == cudaRoundZero);
    unsigned long long bits = __cudair_bits_u64(x);
    unsigned long long magnitude = bits & 0x7fffffffffffffffull;
    unsigned int sign = (unsigned int)(bits >> 63) << (exponent + fraction);
    unsigned int all = (1u << (exponent + fraction)) - 1;
    unsigned int largest = specials == 2 ? all - (1u << fraction) : all - (unsigned int)specials;
    if (magnitude > 0x7ff0000000000000ull) {
        if (specials == 0)
            return (unsigned char)largest;
        /* CUDA keeps sign and upper bits of a NaN in binary64 (and of no other, see __cudair_quiet). */
        unsigned int payload = (unsigned int)(magnitude >> (52 - fraction)) & ((1u << fraction) - 1);
        return (unsigned char)(sign | (specials == 1 ? all : all - 1) | payload);
    }
    int least = 2 - (1 << (exponent - 1));
    int power = (int)(magnitude >> 52) - 1023;
    unsigned long long significand = (magnitude & 0xfffffffffffffull) | 1ull << 52;
    int shift = 52 - fraction;
    if (power < least) {
        shift += least - power;
        power = least;
    }
    unsigned long long code = 0;
    /* Less than half of the least number is 0 in both modes. */
    if (shift <= 53) {
        code = significand >> shift;
        unsigned long long rest = significand & ((1ull << shift) - 1);
        unsigned long long half = 1ull << (shift - 1);
        if (rounding == cudaRoundNearest && (rest > half || (rest == half && (code & 1) != 0)))
            code++;
        /* The hidden bit counts as one more exponent. */
        code += (unsigned long long)(power - least) << fraction;
    }
    if (code > largest)
        code = saturate == __NV_SATFINITE ? largest : specials == 2 ? all - ((1u << fraction) - 1) : all;
    return (unsigned char)(sign | (unsigned int)code);
}

/* A number as binary64, and NaN as the one that every NaN of a narrower format becomes. */
__CUDAIR_HD double __cudair_quiet(float x) { return x != x ? __cudair_bits_f64(0x7fffffffffffffffull) : (double)x; }

/* The same number's bits in binary16. */
__CUDAIR_HD unsigned short __cudair_tiny_half(unsigned char x, int exponent, int fraction, int specials) {
    unsigned int all = (1u << (exponent + fraction)) - 1;
    unsigned int sign = (x >> (exponent + fraction) & 1u) << 15;
    unsigned int magnitude = x & all;
    if (specials == 1 && magnitude == all)
        return 0x7fff;
    if (specials == 2 && magnitude > all - ((1u << fraction) - 1))
        return 0x7fff;
    if (specials == 2 && magnitude == all - ((1u << fraction) - 1))
        return (unsigned short)(sign | 0x7c00u);
    int bias = (1 << (exponent - 1)) - 1;
    unsigned int power = magnitude >> fraction;
    unsigned int low = magnitude & ((1u << fraction) - 1);
    /* A number times the power of two that lies between the biases is exact, in subnormal numbers, too. */
    float value = power == 0 ? (float)low * __cudair_bits_f32((unsigned int)(128 - bias - fraction) << 23)
                             : (float)(low | 1u << fraction) *
                                   __cudair_bits_f32((unsigned int)((int)power + 127 - bias - fraction) << 23);
    return (unsigned short)(sign | __cudair_half_rn(value));
}

/* The power of two next to the magnitude (e8m0: biased by 127, 255 is NaN), upwards or downwards. */
__CUDAIR_HD unsigned char __cudair_power(double x, __nv_saturation_t saturate, cudaRoundMode rounding) {
    assert(rounding == cudaRoundZero || rounding == cudaRoundPosInf);
    unsigned long long magnitude = __cudair_bits_u64(x) & 0x7fffffffffffffffull;
    if (magnitude > 0x7ff0000000000000ull)
        return 0xff;
    int power = (int)(magnitude >> 52) - 1023 + 127;
    if (power < 0)
        return 0;
    if (rounding == cudaRoundPosInf && (magnitude & 0xfffffffffffffull) != 0)
        power++;
    return (unsigned char)(power < 255 ? power : saturate == __NV_SATFINITE ? 254 : 255);
}
/* In bfloat16 2^-127 is subnormal, and every other power a normal number. */
__CUDAIR_HD unsigned short __cudair_power_bf16(unsigned char x) {
    return (unsigned short)(x == 0 ? 0x0040 : x == 0xff ? 0x7fff : (unsigned int)x << 7);
}
/* The least power of two that is not below the magnitude, as a number: exact, where binary64 has to round. */
__CUDAIR_HD double __cudair_power_above(unsigned long long magnitude) {
    int bits = magnitude <= 1 ? 0 : 64 - __builtin_clzll(magnitude - 1);
    return magnitude == 0 ? 0.0 : __cudair_bits_f64((unsigned long long)(1023 + bits) << 52);
}

#endif
