/* Half precision: __half and __half2, with everything that computes on them. */
#ifndef CUDAIR_CUDA_FP16_H
#define CUDAIR_CUDA_FP16_H
#define __CUDA_FP16_H__

#if defined(__cplusplus)

#include "cudair/narrow.h"

#define __CUDAIR_H __half
#define __CUDAIR_H2 __half2
#define __CUDAIR_ONE half
#define __CUDAIR_TWO half2
#define __CUDAIR_F half
#define __CUDAIR_RAW __half_raw
#define __CUDAIR_WIDEN(bits) __cudair_half_value(bits)
#define __CUDAIR_AS_FLOAT(bits) __cudair_half_float(bits)
#define __CUDAIR_NARROW_RN(x) __cudair_half_rn(x)
#define __CUDAIR_ATOMIC_ADD(ptr, bits)                                                                 \
    __cudair_bits_u16(__cudair_atomic_add_f16((_Float16*)(ptr), __cudair_bits_f16(bits), __CUDAIR_DEVICE))
#if defined(__CUDA_NO_HALF_CONVERSIONS__)
#define __CUDAIR_NO_CONVERSIONS
#endif
#if defined(__CUDA_NO_HALF_OPERATORS__)
#define __CUDAIR_NO_OPERATORS
#endif
#if defined(__CUDA_NO_HALF2_OPERATORS__)
#define __CUDAIR_NO_OPERATORS2
#endif

/* The bits, with no operation on them. */
typedef struct __align__(2) {
    unsigned short x;
} __half_raw;
typedef struct __align__(4) {
    unsigned short x, y;
} __half2_raw;

struct __align__(2) __half {
protected:
#include "cudair/narrow_types.h"
};

struct __align__(4) __half2 {
    __half x, y;

    __half2() = default;
    __host__ __device__ __half2(const __half& a, const __half& b) : x(a), y(b) {}
    __host__ __device__ __half2(const __half2_raw& r) : x(__half::__of(r.x)), y(__half::__of(r.y)) {}
    __host__ __device__ __half2& operator=(const __half2_raw& r) {
        x = __half::__of(r.x);
        y = __half::__of(r.y);
        return *this;
    }
    __host__ __device__ operator __half2_raw() const {
        __half2_raw r;
        r.x = x.__bits();
        r.y = y.__bits();
        return r;
    }
};

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

#if defined(__CUDA__)
extern "C" {
__device__ _Float16 __cudair_atomic_add_f16(_Float16* ptr, _Float16 value, int scope);
}
#endif

#include "cudair/narrow_convert.h"
#include "cudair/narrow_ops.h"

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)

#endif

#endif
