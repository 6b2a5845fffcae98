/* The short vector types and dim3. The 4-wide types of 8-byte elements are aligned to 16. */
#ifndef CUDAIR_VECTOR_TYPES_H
#define CUDAIR_VECTOR_TYPES_H

#include "host_defines.h"

/* (name prefix, element type, alignment of the 2-wide and of the 4-wide type) */
#define __CUDAIR_VECTOR(N, T, A2, A4)                                                                 \
    struct N##1 { T x; };                                                                             \
    struct __attribute__((aligned(A2))) N##2 { T x, y; };                                             \
    struct N##3 { T x, y, z; };                                                                       \
    struct __attribute__((aligned(A4))) N##4 { T x, y, z, w; };                                       \
    typedef struct N##1 N##1;                                                                         \
    typedef struct N##2 N##2;                                                                         \
    typedef struct N##3 N##3;                                                                         \
    typedef struct N##4 N##4;

__CUDAIR_VECTOR(char, signed char, 2, 4)
__CUDAIR_VECTOR(uchar, unsigned char, 2, 4)
__CUDAIR_VECTOR(short, short, 4, 8)
__CUDAIR_VECTOR(ushort, unsigned short, 4, 8)
__CUDAIR_VECTOR(int, int, 8, 16)
__CUDAIR_VECTOR(uint, unsigned int, 8, 16)
__CUDAIR_VECTOR(long, long, 16, 16)
__CUDAIR_VECTOR(ulong, unsigned long, 16, 16)
__CUDAIR_VECTOR(longlong, long long, 16, 16)
__CUDAIR_VECTOR(ulonglong, unsigned long long, 16, 16)
__CUDAIR_VECTOR(float, float, 8, 16)
__CUDAIR_VECTOR(double, double, 16, 16)
#undef __CUDAIR_VECTOR

struct dim3 {
    unsigned int x, y, z;
#if defined(__cplusplus)
    __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;

#endif
