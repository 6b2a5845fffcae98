/* Complex numbers of both precisions. */
#ifndef CUDAIR_CUCOMPLEX_H
#define CUDAIR_CUCOMPLEX_H

#include <math.h>

#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define __CUDAIR_COMPLEX static __inline__ __host__ __device__
/* Division and absolute value scale first, so that neither overflows where the result does not. */
#define __CUDAIR_COMPLEX_OF(C, T, S, FABS, SQRT)                                                        \
    __CUDAIR_COMPLEX C make_##C(T r, T i) {                                                            \
        C z;                                                                                           \
        z.x = r;                                                                                       \
        z.y = i;                                                                                       \
        return z;                                                                                      \
    }                                                                                                  \
    __CUDAIR_COMPLEX T cuCreal##S(C z) { return z.x; }                                                 \
    __CUDAIR_COMPLEX T cuCimag##S(C z) { return z.y; }                                                 \
    __CUDAIR_COMPLEX C cuConj##S(C z) { return make_##C(z.x, -z.y); }                                  \
    __CUDAIR_COMPLEX C cuCadd##S(C a, C b) { return make_##C(a.x + b.x, a.y + b.y); }                  \
    __CUDAIR_COMPLEX C cuCsub##S(C a, C b) { return make_##C(a.x - b.x, a.y - b.y); }                  \
    __CUDAIR_COMPLEX C cuCmul##S(C a, C b) {                                                           \
        return make_##C(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                 \
    }                                                                                                  \
    __CUDAIR_COMPLEX C cuCdiv##S(C a, C b) {                                                           \
        T scale = (T)1 / (FABS(b.x) + FABS(b.y));                                                      \
        T ar = a.x * scale, ai = a.y * scale, br = b.x * scale, bi = b.y * scale;                      \
        T inverse = (T)1 / (br * br + bi * bi);                                                        \
        return make_##C((ar * br + ai * bi) * inverse, (ai * br - ar * bi) * inverse);                 \
    }                                                                                                  \
    __CUDAIR_COMPLEX T cuCabs##S(C z) {                                                                \
        T a = FABS(z.x), b = FABS(z.y);                                                                \
        T large = a > b ? a : b, small = a > b ? b : a;                                                \
        if (large == (T)0 || !(large <= (sizeof(T) == 4 ? (T)3.402823466e38f : (T)1.7976931348623157e308))) \
            return a + b;                                                                              \
        T ratio = small / large;                                                                       \
        return large * SQRT((T)1 + ratio * ratio);                                                     \
    }                                                                                                  \
    __CUDAIR_COMPLEX C cuCfma##S(C a, C b, C c) {                                                      \
        T r = a.x * b.x + c.x, i = a.x * b.y + c.y;                                                    \
        return make_##C(r - a.y * b.y, a.y * b.x + i);                                                 \
    }
__CUDAIR_COMPLEX_OF(cuFloatComplex, float, f, fabsf, sqrtf)
__CUDAIR_COMPLEX_OF(cuDoubleComplex, double, , fabs, sqrt)
#undef __CUDAIR_COMPLEX_OF

__CUDAIR_COMPLEX cuComplex make_cuComplex(float r, float i) { return make_cuFloatComplex(r, i); }
__CUDAIR_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
    return make_cuDoubleComplex((double)z.x, (double)z.y);
}
__CUDAIR_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
    return make_cuFloatComplex((float)z.x, (float)z.y);
}
#undef __CUDAIR_COMPLEX

#endif
