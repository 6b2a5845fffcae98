/* 6-bit floating point: e3m2, e2m3, their conversions and types. */
#ifndef CUDAIR_CUDA_FP6_H
#define CUDAIR_CUDA_FP6_H
#define __CUDA_FP6_H__

#if defined(__cplusplus)

#include "cudair/tiny.h"

#define __CUDA_FP6_TYPES_EXIST__

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t {
    __NV_E2M3,
    __NV_E3M2,
} __nv_fp6_interpretation_t;

#define __CUDAIR_N fp6
#define __CUDAIR_S __nv_fp6_storage_t
#define __CUDAIR_S2 __nv_fp6x2_storage_t
#define __CUDAIR_S4 __nv_fp6x4_storage_t
#define __CUDAIR_SHIFT 8
#define __CUDAIR_KIND __nv_fp6_interpretation_t
#define __CUDAIR_WIDE __NV_E3M2
#define __CUDAIR_MORE 3, 2, 0
#define __CUDAIR_LESS 2, 3, 0
#define __CUDAIR_FIRST const __nv_fp6_interpretation_t kind
#define __CUDAIR_SECOND const enum cudaRoundMode rounding
#define __CUDAIR_PASSED kind, rounding
#define __CUDAIR_ROUND __NV_SATFINITE, rounding
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

#if defined(__CUDA_NO_FP6_CONVERSIONS__)
#define __CUDAIR_NO_CONVERSIONS
#endif
#if defined(__CUDA_NO_FP6_CONVERSION_OPERATORS__)
#define __CUDAIR_NO_OPERATORS
#endif

#define __CUDAIR_T __nv_fp6_e3m2
#define __CUDAIR_T2 __nv_fp6x2_e3m2
#define __CUDAIR_T4 __nv_fp6x4_e3m2
#define __CUDAIR_OF(x) __cudair_tiny(x, 3, 2, 0, __NV_SATFINITE, cudaRoundNearest)
#define __CUDAIR_HALF(bits) __cudair_tiny_half(bits, 3, 2, 0)
#define __CUDAIR_MAGNITUDE 0x1f
#include "cudair/tiny_types.h"

#define __CUDAIR_T __nv_fp6_e2m3
#define __CUDAIR_T2 __nv_fp6x2_e2m3
#define __CUDAIR_T4 __nv_fp6x4_e2m3
#define __CUDAIR_OF(x) __cudair_tiny(x, 2, 3, 0, __NV_SATFINITE, cudaRoundNearest)
#define __CUDAIR_HALF(bits) __cudair_tiny_half(bits, 2, 3, 0)
#define __CUDAIR_MAGNITUDE 0x1f
#include "cudair/tiny_types.h"

#undef __CUDAIR_S
#undef __CUDAIR_S2
#undef __CUDAIR_S4
#undef __CUDAIR_SHIFT
#undef __CUDAIR_NO_CONVERSIONS
#undef __CUDAIR_NO_OPERATORS

#endif

#endif
