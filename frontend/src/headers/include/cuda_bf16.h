/* bfloat16: __nv_bfloat16 and __nv_bfloat162, with everything that computes on them. */
#ifndef CUDAIR_CUDA_BF16_H
#define CUDAIR_CUDA_BF16_H
#define __CUDA_BF16_H__

#if defined(__cplusplus)

#include "cudair/narrow.h"

#define __CUDAIR_H __nv_bfloat16
#define __CUDAIR_H2 __nv_bfloat162
#define __CUDAIR_ONE bfloat16
#define __CUDAIR_TWO bfloat162
#define __CUDAIR_F bf16
#define __CUDAIR_RAW __nv_bfloat16_raw
#define __CUDAIR_WIDEN(bits) __cudair_bf16_value(bits)
#define __CUDAIR_AS_FLOAT(bits) __cudair_bf16_float(bits)
#define __CUDAIR_NARROW_RN(x) __cudair_bf16_rn(x)
#define __CUDAIR_ATOMIC_ADD(ptr, bits)                                                                 \
    __cudair_bits_of_bf16(__cudair_atomic_add_bf16((__bf16*)(ptr), __cudair_bits_bf16(bits), __CUDAIR_DEVICE))
#if defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
#define __CUDAIR_NO_CONVERSIONS
#endif
#if defined(__CUDA_NO_BFLOAT16_OPERATORS__)
#define __CUDAIR_NO_OPERATORS
#endif
#if defined(__CUDA_NO_BFLOAT162_OPERATORS__)
#define __CUDAIR_NO_OPERATORS2
#endif

/* The bits, with no operation on them. */
typedef struct __align__(2) {
    unsigned short x;
} __nv_bfloat16_raw;
typedef struct __align__(4) {
    unsigned short x, y;
} __nv_bfloat162_raw;

struct __align__(2) __nv_bfloat16 {
protected:
#include "cudair/narrow_types.h"
};

struct __align__(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;

    __nv_bfloat162() = default;
    __host__ __device__ __nv_bfloat162(const __nv_bfloat16& a, const __nv_bfloat16& b) : x(a), y(b) {}
    __host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw& r) : x(__nv_bfloat16::__of(r.x)), y(__nv_bfloat16::__of(r.y)) {}
    __host__ __device__ __nv_bfloat162& operator=(const __nv_bfloat162_raw& r) {
        x = __nv_bfloat16::__of(r.x);
        y = __nv_bfloat16::__of(r.y);
        return *this;
    }
    __host__ __device__ operator __nv_bfloat162_raw() const {
        __nv_bfloat162_raw r;
        r.x = x.__bits();
        r.y = y.__bits();
        return r;
    }
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#if defined(__CUDA__)
extern "C" {
__device__ __bf16 __cudair_atomic_add_bf16(__bf16* ptr, __bf16 value, int scope);
__device__ unsigned short __cudair_bits_of_bf16(__bf16 x);
__device__ __bf16 __cudair_bits_bf16(unsigned short x);
}
#endif

#include "cudair/narrow_convert.h"
#include "cudair/narrow_ops.h"

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)

#endif

#endif
