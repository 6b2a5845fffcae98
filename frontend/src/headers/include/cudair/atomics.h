/* Atomics at block, device and system scope. All are relaxed; each returns the old value. */
#ifndef CUDAIR_ATOMICS_H
#define CUDAIR_ATOMICS_H

/* The scope that a primitive takes as its last argument, always a literal. */
#define __CUDAIR_BLOCK 0
#define __CUDAIR_DEVICE 1
#define __CUDAIR_SYSTEM 2

extern "C" {
#define __CUDAIR_RMW(OP, S, T) __host__ __device__ T __cudair_atomic_##OP##_##S(T* ptr, T value, int scope);
__CUDAIR_RMW(add, i32, unsigned int)
__CUDAIR_RMW(add, i64, unsigned long long)
__CUDAIR_RMW(add, f32, float)
__CUDAIR_RMW(add, f64, double)
__CUDAIR_RMW(sub, i32, unsigned int)
__CUDAIR_RMW(sub, i64, unsigned long long)
__CUDAIR_RMW(exch, i32, unsigned int)
__CUDAIR_RMW(exch, i64, unsigned long long)
__CUDAIR_RMW(exch, f32, float)
__CUDAIR_RMW(min, s32, int)
__CUDAIR_RMW(min, u32, unsigned int)
__CUDAIR_RMW(min, s64, long long)
__CUDAIR_RMW(min, u64, unsigned long long)
__CUDAIR_RMW(max, s32, int)
__CUDAIR_RMW(max, u32, unsigned int)
__CUDAIR_RMW(max, s64, long long)
__CUDAIR_RMW(max, u64, unsigned long long)
__CUDAIR_RMW(and, i32, unsigned int)
__CUDAIR_RMW(and, i64, unsigned long long)
__CUDAIR_RMW(or, i32, unsigned int)
__CUDAIR_RMW(or, i64, unsigned long long)
__CUDAIR_RMW(xor, i32, unsigned int)
__CUDAIR_RMW(xor, i64, unsigned long long)
__CUDAIR_RMW(inc, u32, unsigned int)
__CUDAIR_RMW(dec, u32, unsigned int)
#undef __CUDAIR_RMW
#define __CUDAIR_CAS(S, T) __host__ __device__ T __cudair_atomic_cas_##S(T* ptr, T compare, T value, int scope);
__CUDAIR_CAS(i16, unsigned short)
__CUDAIR_CAS(i32, unsigned int)
__CUDAIR_CAS(i64, unsigned long long)
#undef __CUDAIR_CAS
}

/* One overload of a scope: name, type, primitive, the primitive's type. */
#define __CUDAIR_AT(NAME, T, PRIM, P, SCOPE)                                                           \
    __CUDAIR_D T NAME(T* ptr, T value) { return (T)__cudair_atomic_##PRIM((P*)ptr, (P)value, SCOPE); }
#define __CUDAIR_AT3(NAME, T, PRIM, P)                                                                 \
    __CUDAIR_AT(NAME, T, PRIM, P, __CUDAIR_DEVICE)                                                     \
    __CUDAIR_AT(NAME##_block, T, PRIM, P, __CUDAIR_BLOCK)                                              \
    __CUDAIR_AT(NAME##_system, T, PRIM, P, __CUDAIR_SYSTEM)
#define __CUDAIR_AT_BITS(NAME, OP)                                                                     \
    __CUDAIR_AT3(NAME, int, OP##_i32, unsigned int)                                                    \
    __CUDAIR_AT3(NAME, unsigned int, OP##_i32, unsigned int)                                           \
    __CUDAIR_AT3(NAME, unsigned long long, OP##_i64, unsigned long long)
#define __CUDAIR_AT_ORDER(NAME, OP)                                                                    \
    __CUDAIR_AT3(NAME, int, OP##_s32, int)                                                             \
    __CUDAIR_AT3(NAME, unsigned int, OP##_u32, unsigned int)                                           \
    __CUDAIR_AT3(NAME, long long, OP##_s64, long long)                                                 \
    __CUDAIR_AT3(NAME, unsigned long long, OP##_u64, unsigned long long)

__CUDAIR_AT_BITS(atomicAdd, add)
__CUDAIR_AT3(atomicAdd, float, add_f32, float)
__CUDAIR_AT3(atomicAdd, double, add_f64, double)
__CUDAIR_AT3(atomicSub, int, sub_i32, unsigned int)
__CUDAIR_AT3(atomicSub, unsigned int, sub_i32, unsigned int)
__CUDAIR_AT_BITS(atomicExch, exch)
__CUDAIR_AT3(atomicExch, float, exch_f32, float)
__CUDAIR_AT_ORDER(atomicMin, min)
__CUDAIR_AT_ORDER(atomicMax, max)
__CUDAIR_AT_BITS(atomicAnd, and)
__CUDAIR_AT_BITS(atomicOr, or)
__CUDAIR_AT_BITS(atomicXor, xor)
__CUDAIR_AT3(atomicInc, unsigned int, inc_u32, unsigned int)
__CUDAIR_AT3(atomicDec, unsigned int, dec_u32, unsigned int)
#undef __CUDAIR_AT_ORDER
#undef __CUDAIR_AT_BITS
#undef __CUDAIR_AT3
#undef __CUDAIR_AT

#define __CUDAIR_AT(NAME, T, PRIM, P, SCOPE)                                                           \
    __CUDAIR_D T NAME(T* ptr, T compare, T value) {                                                    \
        return (T)__cudair_atomic_##PRIM((P*)ptr, (P)compare, (P)value, SCOPE);                        \
    }
#define __CUDAIR_AT3(T, PRIM, P)                                                                       \
    __CUDAIR_AT(atomicCAS, T, PRIM, P, __CUDAIR_DEVICE)                                                \
    __CUDAIR_AT(atomicCAS_block, T, PRIM, P, __CUDAIR_BLOCK)                                           \
    __CUDAIR_AT(atomicCAS_system, T, PRIM, P, __CUDAIR_SYSTEM)
__CUDAIR_AT3(int, cas_i32, unsigned int)
__CUDAIR_AT3(unsigned int, cas_i32, unsigned int)
__CUDAIR_AT3(unsigned long long, cas_i64, unsigned long long)
__CUDAIR_AT3(unsigned short, cas_i16, unsigned short)
#undef __CUDAIR_AT3
#undef __CUDAIR_AT

/* Vector adds are atomic element by element. */
__CUDAIR_D float2 atomicAdd(float2* ptr, float2 value) {
    float2 old;
    old.x = __cudair_atomic_add_f32(&ptr->x, value.x, __CUDAIR_DEVICE);
    old.y = __cudair_atomic_add_f32(&ptr->y, value.y, __CUDAIR_DEVICE);
    return old;
}
__CUDAIR_D float4 atomicAdd(float4* ptr, float4 value) {
    float4 old;
    old.x = __cudair_atomic_add_f32(&ptr->x, value.x, __CUDAIR_DEVICE);
    old.y = __cudair_atomic_add_f32(&ptr->y, value.y, __CUDAIR_DEVICE);
    old.z = __cudair_atomic_add_f32(&ptr->z, value.z, __CUDAIR_DEVICE);
    old.w = __cudair_atomic_add_f32(&ptr->w, value.w, __CUDAIR_DEVICE);
    return old;
}

/* Sixteen bytes at once, of any type that can be copied as bytes and is aligned so. */
#define __CUDAIR_WIDE(SUFFIX, SCOPE)                                                                   \
    __CUDAIR_D void __u128AtomicCAS##SUFFIX(void* ptr, void* compare, void* value, void* old) {     \
        *(unsigned __int128*)old = __cudair_atomic_cas_i128(                                           \
            (unsigned __int128*)ptr, *(unsigned __int128*)compare, *(unsigned __int128*)value, SCOPE); \
    }                                                                                                  \
    __CUDAIR_D void __u128AtomicExch##SUFFIX(void* ptr, void* value, void* old) {           \
        *(unsigned __int128*)old =                                                                     \
            __cudair_atomic_exch_i128((unsigned __int128*)ptr, *(unsigned __int128*)value, SCOPE);     \
    }                                                                                                  \
    template <typename T> __CUDAIR_D typename __cudair_wide<T>::type atomicCAS##SUFFIX(T* ptr, T compare, T value) { \
        T old;                                                                                         \
        __u128AtomicCAS##SUFFIX(ptr, &compare, &value, &old);                                          \
        return old;                                                                                    \
    }                                                                                                  \
    template <typename T> __CUDAIR_D typename __cudair_wide<T>::type atomicExch##SUFFIX(T* ptr, T value) { \
        T old;                                                                                         \
        __u128AtomicExch##SUFFIX(ptr, &value, &old);                                                   \
        return old;                                                                                    \
    }
extern "C" {
__device__ unsigned __int128 __cudair_atomic_cas_i128(unsigned __int128* ptr, unsigned __int128 compare,
                                                      unsigned __int128 value, int scope);
__device__ unsigned __int128 __cudair_atomic_exch_i128(unsigned __int128* ptr, unsigned __int128 value, int scope);
}
template <bool Good, typename T> struct __cudair_wide_if {};
template <typename T> struct __cudair_wide_if<true, T> { typedef T type; };
template <typename T>
struct __cudair_wide : __cudair_wide_if<sizeof(T) == 16 && __alignof(T) >= 16 && __is_trivially_copyable(T), T> {};
__CUDAIR_WIDE(, __CUDAIR_DEVICE)
__CUDAIR_WIDE(_block, __CUDAIR_BLOCK)
__CUDAIR_WIDE(_system, __CUDAIR_SYSTEM)
#undef __CUDAIR_WIDE

#endif
