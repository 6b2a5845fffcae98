/* The compiler's own atomic functions of CUDA 12.8: an order and a scope with each operation. An operation is a relaxed one
   between the fences that its order asks for. Orders and scopes are literals, so that one branch of each remains. */
#ifndef CUDAIR_NV_ATOMIC_H
#define CUDAIR_NV_ATOMIC_H

#include "atomics.h"

#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

extern "C" {
#define __CUDAIR_WIDTH(S, T)                                                                           \
    __host__ __device__ T __cudair_atomic_load_##S(const T* __ptr, int __scope);                       \
    __host__ __device__ void __cudair_atomic_store_##S(T* __ptr, T __value, int __scope);              \
    __host__ __device__ T __cudair_atomic_cas_##S(T* __ptr, T __compare, T __value, int __scope);
__CUDAIR_WIDTH(i8, unsigned char)
__CUDAIR_WIDTH(i16, unsigned short)
__CUDAIR_WIDTH(i32, unsigned int)
__CUDAIR_WIDTH(i64, unsigned long long)
#undef __CUDAIR_WIDTH
__host__ __device__ void __cudair_fence(int __scope);
}

namespace __cudair_nv {
template <typename T> struct same { typedef T type; };
template <typename T> struct bare { typedef T type; };
template <typename T> struct bare<const T> { typedef T type; };
template <typename T> struct bare<volatile T> { typedef T type; };
template <typename T> struct bare<const volatile T> { typedef T type; };
template <bool Good, typename T> struct only {};
template <typename T> struct only<true, T> { typedef T type; };

/* A cluster has no scope of its own here: the device's, which is wider. */
#define __CUDAIR_SCOPED(CALL, ...)                                                                     \
    (scope <= __NV_THREAD_SCOPE_BLOCK    ? CALL(__VA_ARGS__, __CUDAIR_BLOCK)                           \
     : scope <= __NV_THREAD_SCOPE_DEVICE ? CALL(__VA_ARGS__, __CUDAIR_DEVICE)                          \
                                         : CALL(__VA_ARGS__, __CUDAIR_SYSTEM))
__CUDAIR_D void fence(int scope) {
    if (scope <= __NV_THREAD_SCOPE_BLOCK)
        __cudair_fence(__CUDAIR_BLOCK);
    else if (scope <= __NV_THREAD_SCOPE_DEVICE)
        __cudair_fence(__CUDAIR_DEVICE);
    else
        __cudair_fence(__CUDAIR_SYSTEM);
}
__CUDAIR_D void before(int order, int scope) {
    if (order >= __NV_ATOMIC_RELEASE)
        fence(scope);
}
__CUDAIR_D void after(int order, int scope) {
    if (order != __NV_ATOMIC_RELAXED && order != __NV_ATOMIC_RELEASE)
        fence(scope);
}
__CUDAIR_D void before_load(int order, int scope) {
    if (order == __NV_ATOMIC_SEQ_CST)
        fence(scope);
}

/* The bits of a value of each size. */
template <int Size> struct bits;
#define __CUDAIR_BITS(SIZE, S, T)                                                                      \
    template <> struct bits<SIZE> {                                                                    \
        typedef T type;                                                                                \
        static __CUDAIR_INLINE T load(const T* p, int scope) { return __CUDAIR_SCOPED(__cudair_atomic_load_##S, p); } \
        static __CUDAIR_INLINE void store(T* p, T v, int scope) { __CUDAIR_SCOPED(__cudair_atomic_store_##S, p, v); } \
        static __CUDAIR_INLINE T cas(T* p, T c, T v, int scope) {                                      \
            return __CUDAIR_SCOPED(__cudair_atomic_cas_##S, p, c, v);                                  \
        }                                                                                              \
        __CUDAIR_REST(S, T)                                                                            \
    };
#define __CUDAIR_INLINE __inline__ __device__ __attribute__((always_inline))
#define __CUDAIR_REST(S, T)
__CUDAIR_BITS(1, i8, unsigned char)
__CUDAIR_BITS(2, i16, unsigned short)
#undef __CUDAIR_REST
#define __CUDAIR_REST(S, T)                                                                            \
    static __CUDAIR_INLINE T exchange(T* p, T v, int scope) { return __CUDAIR_SCOPED(__cudair_atomic_exch_##S, p, v); } \
    static __CUDAIR_INLINE T add(T* p, T v, int scope) { return __CUDAIR_SCOPED(__cudair_atomic_add_##S, p, v); } \
    static __CUDAIR_INLINE T sub(T* p, T v, int scope) { return __CUDAIR_SCOPED(__cudair_atomic_sub_##S, p, v); } \
    static __CUDAIR_INLINE T and_(T* p, T v, int scope) { return __CUDAIR_SCOPED(__cudair_atomic_and_##S, p, v); } \
    static __CUDAIR_INLINE T or_(T* p, T v, int scope) { return __CUDAIR_SCOPED(__cudair_atomic_or_##S, p, v); } \
    static __CUDAIR_INLINE T xor_(T* p, T v, int scope) { return __CUDAIR_SCOPED(__cudair_atomic_xor_##S, p, v); }
__CUDAIR_BITS(4, i32, unsigned int)
__CUDAIR_BITS(8, i64, unsigned long long)
#undef __CUDAIR_REST
#undef __CUDAIR_BITS
/* Sixteen bytes: a load and a store are a comparison and an exchange. */
template <> struct bits<16> {
    typedef unsigned __int128 type;
    static __CUDAIR_INLINE type cas(type* p, type c, type v, int scope) {
        return __CUDAIR_SCOPED(__cudair_atomic_cas_i128, p, c, v);
    }
    static __CUDAIR_INLINE type exchange(type* p, type v, int scope) {
        return __CUDAIR_SCOPED(__cudair_atomic_exch_i128, p, v);
    }
    static __CUDAIR_INLINE type load(const type* p, int scope) { return cas((type*)p, 0, 0, scope); }
    static __CUDAIR_INLINE void store(type* p, type v, int scope) { exchange(p, v, scope); }
};

/* A value as its bits, and back. */
template <typename U, typename T> __CUDAIR_D U as(const T& v) {
    U u;
    __builtin_memcpy(&u, &v, sizeof(U));
    return u;
}

/* What the documented types of each operation have. */
template <typename T> struct number;
#define __CUDAIR_INTEGER(T, U, S)                                                                      \
    template <> struct number<T> {                                                                     \
        typedef T any, integer, extreme;                                                               \
        static __CUDAIR_INLINE T add(T* p, T v, int scope) { return (T)bits<sizeof(T)>::add((U*)p, (U)v, scope); } \
        static __CUDAIR_INLINE T sub(T* p, T v, int scope) { return (T)bits<sizeof(T)>::sub((U*)p, (U)v, scope); } \
        static __CUDAIR_INLINE T and_(T* p, T v, int scope) { return (T)bits<sizeof(T)>::and_((U*)p, (U)v, scope); } \
        static __CUDAIR_INLINE T or_(T* p, T v, int scope) { return (T)bits<sizeof(T)>::or_((U*)p, (U)v, scope); } \
        static __CUDAIR_INLINE T xor_(T* p, T v, int scope) { return (T)bits<sizeof(T)>::xor_((U*)p, (U)v, scope); } \
        static __CUDAIR_INLINE T min(T* p, T v, int scope) { return (T)__CUDAIR_SCOPED(__cudair_atomic_min_##S, (__CUDAIR_TYPE_##S*)p, (__CUDAIR_TYPE_##S)v); } \
        static __CUDAIR_INLINE T max(T* p, T v, int scope) { return (T)__CUDAIR_SCOPED(__cudair_atomic_max_##S, (__CUDAIR_TYPE_##S*)p, (__CUDAIR_TYPE_##S)v); } \
    };
#define __CUDAIR_TYPE_s32 int
#define __CUDAIR_TYPE_u32 unsigned int
#define __CUDAIR_TYPE_s64 long long
#define __CUDAIR_TYPE_u64 unsigned long long
__CUDAIR_INTEGER(int, unsigned int, s32)
__CUDAIR_INTEGER(unsigned int, unsigned int, u32)
__CUDAIR_INTEGER(long, unsigned long long, s64)
__CUDAIR_INTEGER(unsigned long, unsigned long long, u64)
__CUDAIR_INTEGER(long long, unsigned long long, s64)
__CUDAIR_INTEGER(unsigned long long, unsigned long long, u64)
#undef __CUDAIR_TYPE_s32
#undef __CUDAIR_TYPE_u32
#undef __CUDAIR_TYPE_s64
#undef __CUDAIR_TYPE_u64
#undef __CUDAIR_INTEGER
#define __CUDAIR_FLOATING(T, S)                                                                        \
    template <> struct number<T> {                                                                     \
        typedef T any;                                                                                 \
        static __CUDAIR_INLINE T add(T* p, T v, int scope) { return __CUDAIR_SCOPED(__cudair_atomic_add_##S, p, v); } \
        static __CUDAIR_INLINE T sub(T* p, T v, int scope) { return add(p, -v, scope); }               \
    };
__CUDAIR_FLOATING(float, f32)
__CUDAIR_FLOATING(double, f64)
#undef __CUDAIR_FLOATING
} /* namespace __cudair_nv */

/* NAME and its form without a result, of the types that KIND lists. */
#define __CUDAIR_NV(NAME, OP, KIND)                                                                    \
    template <typename T>                                                                              \
    __CUDAIR_D typename __cudair_nv::number<T>::KIND __nv_atomic_fetch_##NAME(                         \
        T* address, typename __cudair_nv::same<T>::type value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) { \
        __cudair_nv::before(order, scope);                                                             \
        T old = __cudair_nv::number<T>::OP(address, value, scope);                                     \
        __cudair_nv::after(order, scope);                                                              \
        return old;                                                                                    \
    }                                                                                                  \
    template <typename T>                                                                              \
    __CUDAIR_D void __nv_atomic_##NAME(T* address, typename __cudair_nv::same<T>::type value, int order, \
                                       int scope = __NV_THREAD_SCOPE_SYSTEM) {                         \
        __nv_atomic_fetch_##NAME(address, value, order, scope);                                        \
    }
__CUDAIR_NV(add, add, any)
__CUDAIR_NV(sub, sub, any)
__CUDAIR_NV(and, and_, integer)
__CUDAIR_NV(or, or_, integer)
__CUDAIR_NV(xor, xor_, integer)
__CUDAIR_NV(min, min, extreme)
__CUDAIR_NV(max, max, extreme)
#undef __CUDAIR_NV

template <typename T>
__CUDAIR_D typename __cudair_nv::bare<T>::type __nv_atomic_load_n(T* address, int order,
                                                                  int scope = __NV_THREAD_SCOPE_SYSTEM) {
    typedef __cudair_nv::bits<sizeof(T)> B;
    __cudair_nv::before_load(order, scope);
    typename B::type bits = B::load((const typename B::type*)address, scope);
    __cudair_nv::after(order, scope);
    return __cudair_nv::as<typename __cudair_nv::bare<T>::type>(bits);
}
template <typename T>
__CUDAIR_D void __nv_atomic_load(T* address, typename __cudair_nv::bare<T>::type* result, int order,
                                 int scope = __NV_THREAD_SCOPE_SYSTEM) {
    *result = __nv_atomic_load_n(address, order, scope);
}
template <typename T>
__CUDAIR_D void __nv_atomic_store_n(T* address, typename __cudair_nv::same<T>::type value, int order,
                                    int scope = __NV_THREAD_SCOPE_SYSTEM) {
    typedef __cudair_nv::bits<sizeof(T)> B;
    __cudair_nv::before(order, scope);
    B::store((typename B::type*)address, __cudair_nv::as<typename B::type>(value), scope);
    if (order == __NV_ATOMIC_SEQ_CST)
        __cudair_nv::fence(scope);
}
template <typename T>
__CUDAIR_D void __nv_atomic_store(T* address, typename __cudair_nv::same<T>::type* value, int order,
                                  int scope = __NV_THREAD_SCOPE_SYSTEM) {
    __nv_atomic_store_n(address, *value, order, scope);
}
template <typename T>
__CUDAIR_D T __nv_atomic_exchange_n(T* address, typename __cudair_nv::same<T>::type value, int order,
                                    int scope = __NV_THREAD_SCOPE_SYSTEM) {
    typedef __cudair_nv::bits<sizeof(T)> B;
    __cudair_nv::before(order, scope);
    typename B::type old =
        B::exchange((typename B::type*)address, __cudair_nv::as<typename B::type>(value), scope);
    __cudair_nv::after(order, scope);
    return __cudair_nv::as<T>(old);
}
template <typename T>
__CUDAIR_D void __nv_atomic_exchange(T* address, typename __cudair_nv::same<T>::type* value,
                                     typename __cudair_nv::same<T>::type* result, int order,
                                     int scope = __NV_THREAD_SCOPE_SYSTEM) {
    *result = __nv_atomic_exchange_n(address, *value, order, scope);
}
/* `weak` means nothing, and of the two orders the stronger counts. */
template <typename T>
__CUDAIR_D bool __nv_atomic_compare_exchange_n(T* address, typename __cudair_nv::same<T>::type* expected,
                                               typename __cudair_nv::same<T>::type desired, bool, int success,
                                               int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    typedef __cudair_nv::bits<sizeof(T)> B;
    if (success >= __NV_ATOMIC_RELEASE || failure >= __NV_ATOMIC_RELEASE)
        __cudair_nv::fence(scope);
    typename B::type wanted = __cudair_nv::as<typename B::type>(*expected);
    typename B::type old =
        B::cas((typename B::type*)address, wanted, __cudair_nv::as<typename B::type>(desired), scope);
    if ((success != __NV_ATOMIC_RELAXED && success != __NV_ATOMIC_RELEASE) ||
        (failure != __NV_ATOMIC_RELAXED && failure != __NV_ATOMIC_RELEASE))
        __cudair_nv::fence(scope);
    if (old != wanted)
        *expected = __cudair_nv::as<T>(old);
    return old == wanted;
}
template <typename T>
__CUDAIR_D bool __nv_atomic_compare_exchange(T* address, typename __cudair_nv::same<T>::type* expected,
                                             typename __cudair_nv::same<T>::type* desired, bool weak, int success,
                                             int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    return __nv_atomic_compare_exchange_n(address, expected, *desired, weak, success, failure, scope);
}
__CUDAIR_D void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    if (order != __NV_ATOMIC_RELAXED)
        __cudair_nv::fence(scope);
}
#undef __CUDAIR_SCOPED
#undef __CUDAIR_INLINE

#endif
