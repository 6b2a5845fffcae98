/* Matrix operations of warps. How a fragment is spread over the lanes is the implementation's choice: here each lane holds a
   run of a row of the result, and of the factors all that it needs for it, so that a product takes no exchange. Sums of
   floating-point numbers are an H100's to the bit (docs/cuda-runtime.md, "Products of matrices"). */
#ifndef CUDAIR_MMA_H
#define CUDAIR_MMA_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

/* A float of which a product looks at 10 bits of the fraction. */
__device__ inline float __float_to_tf32(float __x) {
    unsigned int __bits = __float_as_uint(__x);
    if ((__bits & 0x7f800000u) != 0x7f800000u)
        __bits += 0x1000u;
    return __uint_as_float(__bits & 0xffffe000u);
}

namespace __cudair {
template <typename _Tp> struct __element {
    typedef _Tp __type;
    typedef _Tp __wide;
    static __device__ __wide __in(_Tp __x) { return __x; }
};
template <> struct __element<__half> {
    typedef __half __type;
    typedef float __wide;
    static __device__ float __in(__half __x) { return __half2float(__x); }
};
template <> struct __element<__nv_bfloat16> {
    typedef __nv_bfloat16 __type;
    typedef float __wide;
    static __device__ float __in(__nv_bfloat16 __x) { return __bfloat162float(__x); }
};
template <> struct __element<precision::tf32> {
    typedef float __type;
    typedef float __wide;
    static __device__ float __in(float __x) { return __uint_as_float(__float_as_uint(__x) & 0xffffe000u); }
};
template <> struct __element<signed char> {
    typedef signed char __type;
    typedef int __wide;
    static __device__ int __in(signed char __x) { return __x; }
};
template <> struct __element<unsigned char> {
    typedef unsigned char __type;
    typedef int __wide;
    static __device__ int __in(unsigned char __x) { return __x; }
};

__device__ inline float __multiply_add(float __a, float __b, float __c) { return fmaf(__a, __b, __c); }
__device__ inline double __multiply_add(double __a, double __b, double __c) { return fma(__a, __b, __c); }
__device__ inline int __multiply_add(int __a, int __b, int __c) {
    return (int)((unsigned int)(__a * __b) + (unsigned int)__c);
}

/* All lanes of the warp take part; nothing is ordered by it. */
__device__ inline void __together() { __all_sync(0xffffffffu, 1); }

/* What a lane holds of the result: so many elements from a column of a row on. */
template <int _M, int _N> struct __share {
    enum { __count = _M * _N / 32 };
    static __device__ int __first() {
        unsigned int __lane = (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31u;
        return (int)__lane * __count;
    }
    static __device__ int __row() { return __first() / _N; }
    static __device__ int __column() { return __first() % _N; }
};

template <typename _Use, int _M, int _N, int _K> struct __size;
template <int _M, int _N, int _K> struct __size<matrix_a, _M, _N, _K> {
    enum { __count = _K };
};
template <int _M, int _N, int _K> struct __size<matrix_b, _M, _N, _K> {
    enum { __count = _K * __share<_M, _N>::__count };
};
template <int _M, int _N, int _K> struct __size<accumulator, _M, _N, _K> {
    enum { __count = __share<_M, _N>::__count };
};

/* The shapes that there are, by the bits of a factor's elements. */
template <typename _Tp, int _M, int _N, int _K> struct __shape {
    enum { __is_one = _K == 16 && (_M == 16 && _N == 16 || _M == 32 && _N == 8 || _M == 8 && _N == 32) };
};
template <int _M, int _N, int _K> struct __shape<precision::tf32, _M, _N, _K> {
    enum { __is_one = _M == 16 && _N == 16 && _K == 8 };
};
template <int _M, int _N, int _K> struct __shape<double, _M, _N, _K> {
    enum { __is_one = _M == 8 && _N == 8 && _K == 4 };
};
template <int _M, int _N, int _K> struct __shape<float, _M, _N, _K> {
    enum { __is_one = __shape<__half, _M, _N, _K>::__is_one || __shape<precision::tf32, _M, _N, _K>::__is_one };
};
} /* namespace __cudair */

template <typename _Use, int _M, int _N, int _K, typename _Tp, typename _Layout = void> class fragment {
    static_assert(__cudair::__shape<_Tp, _M, _N, _K>::__is_one, "no device has fragments of this shape");

public:
    typedef typename __cudair::__element<_Tp>::__type element_type;
    typedef element_type storage_element_type;
    static const int num_elements = __cudair::__size<_Use, _M, _N, _K>::__count;
    static const int num_storage_elements = num_elements;
    element_type x[num_elements];
};

template <typename _Use, int _M, int _N, int _K, typename _Tp, typename _Layout, typename _Value>
__device__ inline void fill_fragment(fragment<_Use, _M, _N, _K, _Tp, _Layout>& __f, const _Value& __value) {
    for (int __i = 0; __i < __f.num_elements; __i++)
        __f.x[__i] = (typename fragment<_Use, _M, _N, _K, _Tp, _Layout>::element_type)__value;
}

#define __CUDAIR_LOAD(USE, LAYOUT, COUNT, AT)                                                          \
    template <int _M, int _N, int _K, typename _Tp>                                                    \
    __device__ inline void load_matrix_sync(fragment<USE, _M, _N, _K, _Tp, LAYOUT>& __f,               \
                                            const typename __cudair::__element<_Tp>::__type* __from,   \
                                            unsigned int __pitch) {                                    \
        typedef __cudair::__share<_M, _N> __share;                                                     \
        __cudair::__together();                                                                        \
        size_t __row = __share::__row(), __column = __share::__column(), __ld = __pitch;               \
        for (int __i = 0; __i < COUNT; __i++)                                                          \
            AT;                                                                                        \
        (void)__row;                                                                                   \
        (void)__column;                                                                                \
    }
__CUDAIR_LOAD(matrix_a, row_major, _K, __f.x[__i] = __from[__row * __ld + __i])
__CUDAIR_LOAD(matrix_a, col_major, _K, __f.x[__i] = __from[__i * __ld + __row])
__CUDAIR_LOAD(matrix_b, row_major, _K, for (int __j = 0; __j < __share::__count; __j++)
              __f.x[__i * __share::__count + __j] = __from[__i * __ld + __column + __j])
__CUDAIR_LOAD(matrix_b, col_major, _K, for (int __j = 0; __j < __share::__count; __j++)
              __f.x[__i * __share::__count + __j] = __from[(__column + __j) * __ld + __i])
#undef __CUDAIR_LOAD

template <int _M, int _N, int _K, typename _Tp>
__device__ inline void load_matrix_sync(fragment<accumulator, _M, _N, _K, _Tp>& __f, const _Tp* __from,
                                        unsigned int __pitch, layout_t __layout) {
    typedef __cudair::__share<_M, _N> __share;
    __cudair::__together();
    size_t __row = __share::__row(), __column = __share::__column(), __ld = __pitch;
    for (int __i = 0; __i < __share::__count; __i++)
        __f.x[__i] = __layout == mem_row_major ? __from[__row * __ld + __column + __i]
                                               : __from[(__column + __i) * __ld + __row];
}
template <int _M, int _N, int _K, typename _Tp>
__device__ inline void store_matrix_sync(_Tp* __to, const fragment<accumulator, _M, _N, _K, _Tp>& __f,
                                         unsigned int __pitch, layout_t __layout) {
    typedef __cudair::__share<_M, _N> __share;
    __cudair::__together();
    size_t __row = __share::__row(), __column = __share::__column(), __ld = __pitch;
    for (int __i = 0; __i < __share::__count; __i++)
        *(__layout == mem_row_major ? &__to[__row * __ld + __column + __i]
                                    : &__to[(__column + __i) * __ld + __row]) = __f.x[__i];
}

namespace __cudair {
template <typename _To, typename _Wide> struct __narrow {
    static __device__ _To __out(_Wide __x) { return (_To)__x; }
};
template <> struct __narrow<__half, float> {
    static __device__ __half __out(float __x) { return __float2half(__x); }
};

/* How many products a tensor core adds up at a time; none: one after the other. */
template <typename _Tp> struct __at_a_time {
    enum { __count = 0 };
};
template <> struct __at_a_time<__half> {
    enum { __count = 16 };
};
template <> struct __at_a_time<__nv_bfloat16> {
    enum { __count = 16 };
};
template <> struct __at_a_time<precision::tf32> {
    enum { __count = 4 };
};

/* A number's exponent: far below all of zero; of what is no number or infinite far above all, beside a zero too. */
__device__ inline int __exponent(float __x) {
    int __e = (int)(__float_as_uint(__x) >> 23 & 0xffu);
    return __x == 0.0f ? -1000 : __e == 255 ? 3000 : __e - 127;
}
/* The sum of products and of an accumulator: all are cut to the 25 bits behind the largest exponent, where a product's is
   that of its factors together, and added exactly; the sum is cut to a float, and its last bit tells what was lost where
   it is rounded once more. */
template <int _Count, int _Step>
__device__ inline float __block_sum(const float* __a, const int* __ea, const float* __b, float __c, bool __again) {
    int __most = __exponent(__c);
    for (int __k = 0; __k < _Count; __k++) {
        int __e = __ea[__k] + __exponent(__b[__k * _Step]);
        __most = __e > __most ? __e : __most;
    }
    if (__most < -900)
        return __c;
    if (__most < -100 || __most > 120) {
        for (int __k = 0; __k < _Count; __k++)
            __c = fmaf(__a[__k], __b[__k * _Step], __c);
        return __c;
    }
    float __scale = __uint_as_float((unsigned int)(152 - __most) << 23);
    long long __sum = (int)(__c * __scale);
    for (int __k = 0; __k < _Count; __k++)
        __sum += (int)(__a[__k] * __b[__k * _Step] * __scale);
    float __cut = __ll2float_rz(__sum);
    if (__again && (long long)__cut != __sum)
        __cut = __uint_as_float(__float_as_uint(__cut) | 1u);
    return __cut * __uint_as_float((unsigned int)(__most + 102) << 23);
}

/* The elements of a product that a lane holds. */
template <typename _Tp, bool _IsFloat> struct __product {
    template <typename _Td, typename _Tc, int _K, int _N, typename _A, typename _B>
    static __device__ void __add(_Td* __d, const _A* __a, const _B* __b, const _Tc* __c) {
        typedef __element<_Tp> __factor;
        typedef typename __factor::__wide __wide;
        for (int __i = 0; __i < _N; __i++) {
            __wide __sum = __element<_Tc>::__in(__c[__i]);
            for (int __k = 0; __k < _K; __k++)
                __sum = __multiply_add(__factor::__in(__a[__k]), __factor::__in(__b[__k * _N + __i]), __sum);
            __d[__i] = __narrow<_Td, __wide>::__out(__sum);
        }
    }
};
template <typename _Tp> struct __product<_Tp, true> {
    template <typename _Td, typename _Tc, int _K, int _N, typename _A, typename _B>
    static __device__ void __add(_Td* __d, const _A* __a, const _B* __b, const _Tc* __c) {
        enum { __count = __at_a_time<_Tp>::__count };
        float __left[_K], __right[_K * _N];
        int __exponents[_K];
        for (int __k = 0; __k < _K; __k++) {
            __left[__k] = __element<_Tp>::__in(__a[__k]);
            __exponents[__k] = __exponent(__left[__k]);
        }
        for (int __k = 0; __k < _K * _N; __k++)
            __right[__k] = __element<_Tp>::__in(__b[__k]);
        for (int __i = 0; __i < _N; __i++) {
            float __sum = __element<_Tc>::__in(__c[__i]);
            for (int __k = 0; __k < _K; __k += __count)
                __sum = __block_sum<__count, _N>(__left + __k, __exponents + __k, __right + __k * _N + __i, __sum,
                                                 sizeof(_Td) == 2);
            __d[__i] = __narrow<_Td, float>::__out(__sum);
        }
    }
};
} /* namespace __cudair */

/* __d = __a * __b + __c. Integers may be kept from wrapping around. */
template <int _M, int _N, int _K, typename _Tp, typename _La, typename _Lb, typename _Td, typename _Tc>
__device__ inline void mma_sync(fragment<accumulator, _M, _N, _K, _Td>& __d,
                                const fragment<matrix_a, _M, _N, _K, _Tp, _La>& __a,
                                const fragment<matrix_b, _M, _N, _K, _Tp, _Lb>& __b,
                                const fragment<accumulator, _M, _N, _K, _Tc>& __c, bool __saturate = false) {
    enum { __count = __cudair::__share<_M, _N>::__count };
    typedef __cudair::__element<_Tp> __factor;
    typedef typename __factor::__wide __wide;
    __cudair::__together();
    if (__saturate && sizeof(_Td) == 4 && (_Td)0.5f == (_Td)0) {
        for (int __i = 0; __i < __count; __i++) {
            long long __exact = (long long)__cudair::__element<_Tc>::__in(__c.x[__i]);
            for (int __k = 0; __k < _K; __k++)
                __exact += (long long)__factor::__in(__a.x[__k]) * (long long)__factor::__in(__b.x[__k * __count + __i]);
            __exact = __exact > 2147483647ll ? 2147483647ll : __exact;
            __exact = __exact < -2147483647ll - 1 ? -2147483647ll - 1 : __exact;
            __d.x[__i] = __cudair::__narrow<_Td, __wide>::__out((__wide)__exact);
        }
    } else {
        __cudair::__product<_Tp, __cudair::__at_a_time<_Tp>::__count != 0>::template __add<_Td, _Tc, _K, __count>(
            __d.x, __a.x, __b.x, __c.x);
    }
}

} /* namespace wmma */
} /* namespace nvcuda */

#endif
