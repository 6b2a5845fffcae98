/* Loads and stores with a cache hint, which is no part of what they mean, and address spaces. */
#ifndef CUDAIR_MEMORY_H
#define CUDAIR_MEMORY_H

/* Through the read-only cache, or with one of the cache operators. */
#define __CUDAIR_LOAD(T)                                                                               \
    __CUDAIR_D T __ldg(const T* ptr) { return *ptr; }                                                  \
    __CUDAIR_D T __ldca(const T* ptr) { return *ptr; }                                                 \
    __CUDAIR_D T __ldcg(const T* ptr) { return *ptr; }                                                 \
    __CUDAIR_D T __ldcs(const T* ptr) { return *ptr; }                                                 \
    __CUDAIR_D T __ldlu(const T* ptr) { return *ptr; }                                                 \
    __CUDAIR_D void __stwb(T* ptr, T value) { *ptr = value; }                                          \
    __CUDAIR_D void __stcg(T* ptr, T value) { *ptr = value; }                                          \
    __CUDAIR_D void __stcs(T* ptr, T value) { *ptr = value; }
/* Scalars have, beside these, the forms that go past every cache: volatile accesses. */
#define __CUDAIR_SCALAR(T)                                                                             \
    __CUDAIR_LOAD(T)                                                                                   \
    __CUDAIR_D T __ldcv(const T* ptr) { return *(const volatile T*)ptr; }                              \
    __CUDAIR_D void __stwt(T* ptr, T value) { *(volatile T*)ptr = value; }
__CUDAIR_SCALAR(char)
__CUDAIR_SCALAR(signed char)
__CUDAIR_SCALAR(unsigned char)
__CUDAIR_SCALAR(short)
__CUDAIR_SCALAR(unsigned short)
__CUDAIR_SCALAR(int)
__CUDAIR_SCALAR(unsigned int)
__CUDAIR_SCALAR(long)
__CUDAIR_SCALAR(unsigned long)
__CUDAIR_SCALAR(long long)
__CUDAIR_SCALAR(unsigned long long)
__CUDAIR_SCALAR(float)
__CUDAIR_SCALAR(double)
__CUDAIR_LOAD(char2)
__CUDAIR_LOAD(char4)
__CUDAIR_LOAD(uchar2)
__CUDAIR_LOAD(uchar4)
__CUDAIR_LOAD(short2)
__CUDAIR_LOAD(short4)
__CUDAIR_LOAD(ushort2)
__CUDAIR_LOAD(ushort4)
__CUDAIR_LOAD(int2)
__CUDAIR_LOAD(int4)
__CUDAIR_LOAD(uint2)
__CUDAIR_LOAD(uint4)
__CUDAIR_LOAD(longlong2)
__CUDAIR_LOAD(ulonglong2)
__CUDAIR_LOAD(float2)
__CUDAIR_LOAD(float4)
__CUDAIR_LOAD(double2)
#undef __CUDAIR_SCALAR
#undef __CUDAIR_LOAD

extern "C" {
__device__ unsigned int __isGlobal(const void* ptr);
__device__ unsigned int __isShared(const void* ptr);
__device__ unsigned int __isConstant(const void* ptr);
__device__ unsigned int __isLocal(const void* ptr);
__device__ unsigned int __isGridConstant(const void* ptr);
__device__ size_t __cvta_generic_to_global(const void* ptr);
__device__ size_t __cvta_generic_to_shared(const void* ptr);
__device__ size_t __cvta_generic_to_constant(const void* ptr);
__device__ size_t __cvta_generic_to_local(const void* ptr);
__device__ void* __cvta_global_to_generic(size_t address);
__device__ void* __cvta_shared_to_generic(size_t address);
__device__ void* __cvta_constant_to_generic(size_t address);
__device__ void* __cvta_local_to_generic(size_t address);
}

#endif
