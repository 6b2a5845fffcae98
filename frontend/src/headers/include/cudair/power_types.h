/* e8m0, powers of two in 8 bits: functions and types of cuda_fp8.h, which reads this file. The types round away from 0,
   so that a scale is never too small. A number of binary64 goes through binary32, where it is rounded to odd. */
__CUDAIR_HD __nv_fp8_storage_t __nv_cvt_double_to_e8m0(const double x, const __nv_saturation_t saturate,
                                                       const enum cudaRoundMode rounding) {
    return __cudair_power(__cudair_odd(x), saturate, rounding);
}
__CUDAIR_HD __nv_fp8_storage_t __nv_cvt_float_to_e8m0(const float x, const __nv_saturation_t saturate,
                                                      const enum cudaRoundMode rounding) {
    return __cudair_power(x, saturate, rounding);
}
__CUDAIR_HD __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(const __nv_bfloat16_raw x, const __nv_saturation_t saturate,
                                                            const enum cudaRoundMode rounding) {
    return __cudair_power(__cudair_bf16_value(x.x), saturate, rounding);
}
#define __CUDAIR_PAIR(hi, lo) (__nv_fp8x2_storage_t)((unsigned int)(hi) << 8 | (unsigned int)(lo))
__CUDAIR_HD __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(const double2 x, const __nv_saturation_t saturate,
                                                            const enum cudaRoundMode rounding) {
    return __CUDAIR_PAIR(__cudair_power(__cudair_odd(x.y), saturate, rounding),
                         __cudair_power(__cudair_odd(x.x), saturate, rounding));
}
__CUDAIR_HD __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(const float2 x, const __nv_saturation_t saturate,
                                                           const enum cudaRoundMode rounding) {
    return __CUDAIR_PAIR(__cudair_power(x.y, saturate, rounding), __cudair_power(x.x, saturate, rounding));
}
__CUDAIR_HD __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(const __nv_bfloat162_raw x,
                                                                 const __nv_saturation_t saturate,
                                                                 const enum cudaRoundMode rounding) {
    return __CUDAIR_PAIR(__cudair_power(__cudair_bf16_value(x.y), saturate, rounding),
                         __cudair_power(__cudair_bf16_value(x.x), saturate, rounding));
}
#undef __CUDAIR_PAIR
__CUDAIR_HD __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t x) {
    __nv_bfloat16_raw r;
    r.x = __cudair_power_bf16(x);
    return r;
}
__CUDAIR_HD __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(const __nv_fp8x2_storage_t x) {
    __nv_bfloat162_raw r;
    r.x = __cudair_power_bf16((unsigned char)x);
    r.y = __cudair_power_bf16((unsigned char)(x >> 8));
    return r;
}

#define __CUDAIR_UP(x) __cudair_power(x, __NV_SATFINITE, cudaRoundPosInf)
#define __CUDAIR_FLOAT(x) __cudair_bf16_value(__cudair_power_bf16((unsigned char)(x)))

struct __align__(1) __nv_fp8_e8m0 {
    __nv_fp8_storage_t __x;

    __nv_fp8_e8m0() = default;
#if !defined(__CUDAIR_NO_CONVERSIONS)
    __host__ __device__ explicit __nv_fp8_e8m0(const __half f)
        : __x(__CUDAIR_UP(__half2float(f))) {}
    __host__ __device__ explicit __nv_fp8_e8m0(const __nv_bfloat16 f)
        : __x(__CUDAIR_UP(__bfloat162float(f))) {}
    __host__ __device__ explicit __nv_fp8_e8m0(const float f) : __x(__CUDAIR_UP(f)) {}
    __host__ __device__ explicit __nv_fp8_e8m0(const double f) : __x(__CUDAIR_UP(f)) {}
#define __CUDAIR_UNSIGNED(T)                                                                           \
    __host__ __device__ explicit __nv_fp8_e8m0(const T i) : __x(__CUDAIR_UP(__cudair_power_above(i))) {}
#define __CUDAIR_SIGNED(T)                                                                             \
    __host__ __device__ explicit __nv_fp8_e8m0(const T i)                                              \
        : __x(__CUDAIR_UP(__cudair_power_above(i < 0 ? 0ull - (unsigned long long)i : (unsigned long long)i))) {}
    __CUDAIR_UNSIGNED(unsigned short)
    __CUDAIR_UNSIGNED(unsigned int)
    __CUDAIR_UNSIGNED(unsigned long)
    __CUDAIR_UNSIGNED(unsigned long long)
    __CUDAIR_SIGNED(short)
    __CUDAIR_SIGNED(int)
    __CUDAIR_SIGNED(long)
    __CUDAIR_SIGNED(long long)
#undef __CUDAIR_UNSIGNED
#undef __CUDAIR_SIGNED
#if !defined(__CUDAIR_NO_OPERATORS)
    __host__ __device__ explicit operator __nv_bfloat16() const {
        return __nv_bfloat16::__of(__cudair_power_bf16(__x));
    }
    __host__ __device__ explicit operator float() const { return __CUDAIR_FLOAT(__x); }
    __host__ __device__ explicit operator double() const { return __CUDAIR_FLOAT(__x); }
    __host__ __device__ explicit operator __half() const { return __float2half_rn(__CUDAIR_FLOAT(__x)); }
#define __CUDAIR_INTEGER(T, A)                                                                         \
    __host__ __device__ explicit operator T() const {                                                  \
        return (T)__cudair_to_##A(__builtin_truncf(__CUDAIR_FLOAT(__x)));                              \
    }
    __CUDAIR_INTEGER(unsigned char, uchar)
    __CUDAIR_INTEGER(unsigned short, ushort)
    __CUDAIR_INTEGER(unsigned int, uint)
    __CUDAIR_INTEGER(unsigned long, ull)
    __CUDAIR_INTEGER(unsigned long long, ull)
    __CUDAIR_INTEGER(signed char, char)
    __CUDAIR_INTEGER(char, char)
    __CUDAIR_INTEGER(short, short)
    __CUDAIR_INTEGER(int, int)
    __CUDAIR_INTEGER(long, ll)
    __CUDAIR_INTEGER(long long, ll)
#undef __CUDAIR_INTEGER
    /* No power of two is 0. */
    __host__ __device__ explicit operator bool() const { return true; }
#endif
#endif
};

struct __align__(2) __nv_fp8x2_e8m0 {
    __nv_fp8x2_storage_t __x;

    __nv_fp8x2_e8m0() = default;
#if !defined(__CUDAIR_NO_CONVERSIONS)
    __host__ __device__ explicit __nv_fp8x2_e8m0(const double2 f)
        : __x(__nv_cvt_double2_to_e8m0x2(f, __NV_SATFINITE, cudaRoundPosInf)) {}
    __host__ __device__ explicit __nv_fp8x2_e8m0(const float2 f)
        : __x(__nv_cvt_float2_to_e8m0x2(f, __NV_SATFINITE, cudaRoundPosInf)) {}
    __host__ __device__ explicit __nv_fp8x2_e8m0(const __half2 f) : __nv_fp8x2_e8m0(__half22float2(f)) {}
    __host__ __device__ explicit __nv_fp8x2_e8m0(const __nv_bfloat162 f) : __nv_fp8x2_e8m0(__bfloat1622float2(f)) {}
#if !defined(__CUDAIR_NO_OPERATORS)
    __host__ __device__ explicit operator __nv_bfloat162() const {
        return __nv_bfloat162(__nv_cvt_e8m0x2_to_bf162raw(__x));
    }
    __host__ __device__ explicit operator float2() const {
        return make_float2(__CUDAIR_FLOAT(__x), __CUDAIR_FLOAT(__x >> 8));
    }
    __host__ __device__ explicit operator __half2() const {
        return __floats2half2_rn(__CUDAIR_FLOAT(__x), __CUDAIR_FLOAT(__x >> 8));
    }
#endif
#endif
};

struct __align__(4) __nv_fp8x4_e8m0 {
    __nv_fp8x4_storage_t __x;

    __nv_fp8x4_e8m0() = default;
#if !defined(__CUDAIR_NO_CONVERSIONS)
    __host__ __device__ explicit __nv_fp8x4_e8m0(const double4 f)
        : __x((unsigned int)__CUDAIR_UP(f.x) | (unsigned int)__CUDAIR_UP(f.y) << 8 |
              (unsigned int)__CUDAIR_UP(f.z) << 16 | (unsigned int)__CUDAIR_UP(f.w) << 24) {}
    __host__ __device__ explicit __nv_fp8x4_e8m0(const float4 f)
        : __nv_fp8x4_e8m0(double4{f.x, f.y, f.z, f.w}) {}
    __host__ __device__ explicit __nv_fp8x4_e8m0(const __half2 lo, const __half2 hi)
        : __x((unsigned int)__nv_fp8x2_e8m0(hi).__x << 16 | __nv_fp8x2_e8m0(lo).__x) {}
    __host__ __device__ explicit __nv_fp8x4_e8m0(const __nv_bfloat162 lo, const __nv_bfloat162 hi)
        : __x((unsigned int)__nv_fp8x2_e8m0(hi).__x << 16 | __nv_fp8x2_e8m0(lo).__x) {}
#if !defined(__CUDAIR_NO_OPERATORS)
    __host__ __device__ explicit operator float4() const {
        return make_float4(__CUDAIR_FLOAT(__x), __CUDAIR_FLOAT(__x >> 8), __CUDAIR_FLOAT(__x >> 16),
                           __CUDAIR_FLOAT(__x >> 24));
    }
#endif
#endif
};

#undef __CUDAIR_UP
#undef __CUDAIR_FLOAT
