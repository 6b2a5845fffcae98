/* A format of 8, 6 or 4 bits as types: one number, two, four. No guard: it is read once for each format, by a
   header that defines

     __CUDAIR_T, __CUDAIR_T2, __CUDAIR_T4   the types
     __CUDAIR_S, __CUDAIR_S2, __CUDAIR_S4   what holds them
     __CUDAIR_SHIFT                         from one number to the next, in bits
     __CUDAIR_OF(x), __CUDAIR_HALF(bits)    from binary64, and to the bits of binary16
     __CUDAIR_MAGNITUDE                     the bits but the sign's
     __CUDAIR_NO_CONVERSIONS, __CUDAIR_NO_OPERATORS   as CUDA's macros say */

#define __CUDAIR_MASK ((1u << __CUDAIR_SHIFT) - 1)
#define __CUDAIR_FLOAT(x) __cudair_half_float(__CUDAIR_HALF((unsigned char)((x) & __CUDAIR_MASK)))
#define __CUDAIR_NEXT(x, k) (x) >> (k) * __CUDAIR_SHIFT
#define __CUDAIR_AT(x, k) ((unsigned int)__CUDAIR_OF(x) << (k) * __CUDAIR_SHIFT)

struct __align__(sizeof(__CUDAIR_S)) __CUDAIR_T {
    __CUDAIR_S __x;

    __CUDAIR_T() = default;
#if !defined(__CUDAIR_NO_CONVERSIONS)
    __host__ __device__ explicit __CUDAIR_T(const __half f)
        : __x(__CUDAIR_OF(__cudair_quiet(__half2float(f)))) {}
    __host__ __device__ explicit __CUDAIR_T(const __nv_bfloat16 f)
        : __x(__CUDAIR_OF(__cudair_quiet(__bfloat162float(f)))) {}
    __host__ __device__ explicit __CUDAIR_T(const float f) : __x(__CUDAIR_OF(__cudair_quiet(f))) {}
    __host__ __device__ explicit __CUDAIR_T(const double f) : __x(__CUDAIR_OF(f)) {}
    /* Integers are rounded to binary32 first, as CUDA does it. */
    __host__ __device__ explicit __CUDAIR_T(const unsigned short i) : __x(__CUDAIR_OF((float)i)) {}
    __host__ __device__ explicit __CUDAIR_T(const unsigned int i) : __x(__CUDAIR_OF((float)i)) {}
    __host__ __device__ explicit __CUDAIR_T(const unsigned long i) : __x(__CUDAIR_OF((float)i)) {}
    __host__ __device__ explicit __CUDAIR_T(const unsigned long long i) : __x(__CUDAIR_OF((float)i)) {}
    __host__ __device__ explicit __CUDAIR_T(const short i) : __x(__CUDAIR_OF((float)i)) {}
    __host__ __device__ explicit __CUDAIR_T(const int i) : __x(__CUDAIR_OF((float)i)) {}
    __host__ __device__ explicit __CUDAIR_T(const long i) : __x(__CUDAIR_OF((float)i)) {}
    __host__ __device__ explicit __CUDAIR_T(const long long i) : __x(__CUDAIR_OF((float)i)) {}
#if !defined(__CUDAIR_NO_OPERATORS)
    __host__ __device__ explicit operator __half() const { return __half::__of(__CUDAIR_HALF(__x)); }
    __host__ __device__ explicit operator float() const { return __CUDAIR_FLOAT(__x); }
    __host__ __device__ explicit operator __nv_bfloat16() const { return __float2bfloat16_rz(__CUDAIR_FLOAT(__x)); }
    __host__ __device__ explicit operator double() const { return __CUDAIR_FLOAT(__x); }
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
    __host__ __device__ explicit operator bool() const { return (__x & __CUDAIR_MAGNITUDE) != 0; }
#endif
#endif
};

struct __align__(sizeof(__CUDAIR_S2)) __CUDAIR_T2 {
    __CUDAIR_S2 __x;

    __CUDAIR_T2() = default;
#if !defined(__CUDAIR_NO_CONVERSIONS)
    __host__ __device__ explicit __CUDAIR_T2(const double2 f)
        : __x((__CUDAIR_S2)(__CUDAIR_AT(f.x, 0) | __CUDAIR_AT(f.y, 1))) {}
    __host__ __device__ explicit __CUDAIR_T2(const float2 f)
        : __CUDAIR_T2(double2{__cudair_quiet(f.x), __cudair_quiet(f.y)}) {}
    __host__ __device__ explicit __CUDAIR_T2(const __half2 f) : __CUDAIR_T2(__half22float2(f)) {}
    __host__ __device__ explicit __CUDAIR_T2(const __nv_bfloat162 f) : __CUDAIR_T2(__bfloat1622float2(f)) {}
#if !defined(__CUDAIR_NO_OPERATORS)
    __host__ __device__ explicit operator __half2() const {
        return __half2(__half::__of(__CUDAIR_HALF((unsigned char)(__x & __CUDAIR_MASK))),
                       __half::__of(__CUDAIR_HALF((unsigned char)(__CUDAIR_NEXT(__x, 1) & __CUDAIR_MASK))));
    }
    __host__ __device__ explicit operator float2() const {
        return make_float2(__CUDAIR_FLOAT(__x), __CUDAIR_FLOAT(__CUDAIR_NEXT(__x, 1)));
    }
#endif
#endif
};

struct __align__(sizeof(__CUDAIR_S4)) __CUDAIR_T4 {
    __CUDAIR_S4 __x;

    __CUDAIR_T4() = default;
#if !defined(__CUDAIR_NO_CONVERSIONS)
    __host__ __device__ explicit __CUDAIR_T4(const double4 f)
        : __x((__CUDAIR_S4)(__CUDAIR_AT(f.x, 0) | __CUDAIR_AT(f.y, 1) | __CUDAIR_AT(f.z, 2) | __CUDAIR_AT(f.w, 3))) {}
    __host__ __device__ explicit __CUDAIR_T4(const float4 f)
        : __CUDAIR_T4(double4{__cudair_quiet(f.x), __cudair_quiet(f.y), __cudair_quiet(f.z), __cudair_quiet(f.w)}) {}
    __host__ __device__ explicit __CUDAIR_T4(const __half2 lo, const __half2 hi)
        : __x((__CUDAIR_S4)((unsigned int)__CUDAIR_T2(hi).__x << 2 * __CUDAIR_SHIFT | __CUDAIR_T2(lo).__x)) {}
    __host__ __device__ explicit __CUDAIR_T4(const __nv_bfloat162 lo, const __nv_bfloat162 hi)
        : __x((__CUDAIR_S4)((unsigned int)__CUDAIR_T2(hi).__x << 2 * __CUDAIR_SHIFT | __CUDAIR_T2(lo).__x)) {}
#if !defined(__CUDAIR_NO_OPERATORS)
    __host__ __device__ explicit operator float4() const {
        return make_float4(__CUDAIR_FLOAT(__x), __CUDAIR_FLOAT(__CUDAIR_NEXT(__x, 1)),
                           __CUDAIR_FLOAT(__CUDAIR_NEXT(__x, 2)), __CUDAIR_FLOAT(__CUDAIR_NEXT(__x, 3)));
    }
#endif
#endif
};

#undef __CUDAIR_MASK
#undef __CUDAIR_FLOAT
#undef __CUDAIR_NEXT
#undef __CUDAIR_AT
#undef __CUDAIR_T
#undef __CUDAIR_T2
#undef __CUDAIR_T4
#undef __CUDAIR_OF
#undef __CUDAIR_HALF
#undef __CUDAIR_MAGNITUDE
