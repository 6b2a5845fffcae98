/* 4-bit floating point: e2m1, their conversions and types. */
#ifndef CUDAIR_CUDA_FP4_H
#define CUDAIR_CUDA_FP4_H
#define __CUDA_FP4_H__

#if defined(__cplusplus)

#include "cudair/tiny.h"

#define __CUDA_FP4_TYPES_EXIST__

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t {
    __NV_E2M1,
} __nv_fp4_interpretation_t;

#define __CUDAIR_N fp4
#define __CUDAIR_S __nv_fp4_storage_t
#define __CUDAIR_S2 __nv_fp4x2_storage_t
#define __CUDAIR_S4 __nv_fp4x4_storage_t
#define __CUDAIR_SHIFT 4
#define __CUDAIR_KIND __nv_fp4_interpretation_t
#define __CUDAIR_WIDE __NV_E2M1
#define __CUDAIR_MORE 2, 1, 0
#define __CUDAIR_LESS 2, 1, 0
#define __CUDAIR_FIRST const __nv_fp4_interpretation_t kind
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

#if defined(__CUDA_NO_FP4_CONVERSIONS__)
#define __CUDAIR_NO_CONVERSIONS
#endif
#if defined(__CUDA_NO_FP4_CONVERSION_OPERATORS__)
#define __CUDAIR_NO_OPERATORS
#endif

#define __CUDAIR_T __nv_fp4_e2m1
#define __CUDAIR_T2 __nv_fp4x2_e2m1
#define __CUDAIR_T4 __nv_fp4x4_e2m1
#define __CUDAIR_OF(x) __cudair_tiny(x, 2, 1, 0, __NV_SATFINITE, cudaRoundNearest)
#define __CUDAIR_HALF(bits) __cudair_tiny_half(bits, 2, 1, 0)
#define __CUDAIR_MAGNITUDE 0x7
#include "cudair/tiny_types.h"

#undef __CUDAIR_S
#undef __CUDAIR_S2
#undef __CUDAIR_S4
#undef __CUDAIR_SHIFT
#undef __CUDAIR_NO_CONVERSIONS
#undef __CUDAIR_NO_OPERATORS

#endif

#endif
