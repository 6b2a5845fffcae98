/* 8-bit floating point: e5m2, e4m3, their conversions and types. */
#ifndef CUDAIR_CUDA_FP8_H
#define CUDAIR_CUDA_FP8_H
#define __CUDA_FP8_H__

#if defined(__cplusplus)

#include "cudair/tiny.h"

#define __CUDA_FP8_TYPES_EXIST__
typedef enum __nv_fp8_interpretation_t {
    __NV_E4M3,
    __NV_E5M2,
} __nv_fp8_interpretation_t;

#define __CUDAIR_N fp8
#define __CUDAIR_S __nv_fp8_storage_t
#define __CUDAIR_S2 __nv_fp8x2_storage_t
#define __CUDAIR_S4 __nv_fp8x4_storage_t
#define __CUDAIR_SHIFT 8
#define __CUDAIR_KIND __nv_fp8_interpretation_t
#define __CUDAIR_WIDE __NV_E5M2
#define __CUDAIR_MORE 5, 2, 2
#define __CUDAIR_LESS 4, 3, 1
#define __CUDAIR_FIRST const __nv_saturation_t saturate
#define __CUDAIR_SECOND const __nv_fp8_interpretation_t kind
#define __CUDAIR_PASSED saturate, kind
#define __CUDAIR_ROUND saturate, cudaRoundNearest
#include "cudair/tiny_functions.h"
#undef __CUDAIR_N
#undef __CUDAIR_KIND
#undef __CUDAIR_WIDE
#undef __CUDAIR_MORE
#undef __CUDAIR_LESS
#undef __CUDAIR_FIRST
#undef __CUDAIR_SECOND
#undef __CUDAIR_PASSED
#undef __CUDAIR_ROUND

#if defined(__CUDA_NO_FP8_CONVERSIONS__)
#define __CUDAIR_NO_CONVERSIONS
#endif
#if defined(__CUDA_NO_FP8_CONVERSION_OPERATORS__)
#define __CUDAIR_NO_OPERATORS
#endif

#define __CUDAIR_T __nv_fp8_e5m2
#define __CUDAIR_T2 __nv_fp8x2_e5m2
#define __CUDAIR_T4 __nv_fp8x4_e5m2
#define __CUDAIR_OF(x) __cudair_tiny(x, 5, 2, 2, __NV_SATFINITE, cudaRoundNearest)
#define __CUDAIR_HALF(bits) __cudair_tiny_half(bits, 5, 2, 2)
#define __CUDAIR_MAGNITUDE 0x7f
#include "cudair/tiny_types.h"

#define __CUDAIR_T __nv_fp8_e4m3
#define __CUDAIR_T2 __nv_fp8x2_e4m3
#define __CUDAIR_T4 __nv_fp8x4_e4m3
#define __CUDAIR_OF(x) __cudair_tiny(x, 4, 3, 1, __NV_SATFINITE, cudaRoundNearest)
#define __CUDAIR_HALF(bits) __cudair_tiny_half(bits, 4, 3, 1)
#define __CUDAIR_MAGNITUDE 0x7f
#include "cudair/tiny_types.h"

/* Powers of two: the scales of blocks of narrow numbers. */
#include "cudair/power_types.h"

#undef __CUDAIR_S
#undef __CUDAIR_S2
#undef __CUDAIR_S4
#undef __CUDAIR_SHIFT
#undef __CUDAIR_NO_CONVERSIONS
#undef __CUDAIR_NO_OPERATORS

#endif

#endif
