/* make_*: builders of the short vector types. */
#ifndef CUDAIR_VECTOR_FUNCTIONS_H
#define CUDAIR_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define __CUDAIR_MAKE(N, T)                                                                           \
    __CUDAIR_HD N##1 make_##N##1(T x) { N##1 v = {x}; return v; }                                     \
    __CUDAIR_HD N##2 make_##N##2(T x, T y) { N##2 v = {x, y}; return v; }                             \
    __CUDAIR_HD N##3 make_##N##3(T x, T y, T z) { N##3 v = {x, y, z}; return v; }                     \
    __CUDAIR_HD N##4 make_##N##4(T x, T y, T z, T w) { N##4 v = {x, y, z, w}; return v; }

__CUDAIR_MAKE(char, signed char)
__CUDAIR_MAKE(uchar, unsigned char)
__CUDAIR_MAKE(short, short)
__CUDAIR_MAKE(ushort, unsigned short)
__CUDAIR_MAKE(int, int)
__CUDAIR_MAKE(uint, unsigned int)
__CUDAIR_MAKE(long, long)
__CUDAIR_MAKE(ulong, unsigned long)
__CUDAIR_MAKE(longlong, long long)
__CUDAIR_MAKE(ulonglong, unsigned long long)
__CUDAIR_MAKE(float, float)
__CUDAIR_MAKE(double, double)
#undef __CUDAIR_MAKE

#endif
