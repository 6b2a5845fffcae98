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
    __CUDAIR_COMPLEX C make_##C(T __r, T __i) {                                                        \
        C __z;                                                                                         \
        __z.x = __r;                                                                                   \
        __z.y = __i;                                                                                   \
        return __z;                                                                                    \
    }                                                                                                  \
    __CUDAIR_COMPLEX T cuCreal##S(C __z) { return __z.x; }                                             \
    __CUDAIR_COMPLEX T cuCimag##S(C __z) { return __z.y; }                                             \
    __CUDAIR_COMPLEX C cuConj##S(C __z) { return make_##C(__z.x, -__z.y); }                            \
    __CUDAIR_COMPLEX C cuCadd##S(C __a, C __b) { return make_##C(__a.x + __b.x, __a.y + __b.y); }      \
    __CUDAIR_COMPLEX C cuCsub##S(C __a, C __b) { return make_##C(__a.x - __b.x, __a.y - __b.y); }      \
    __CUDAIR_COMPLEX C cuCmul##S(C __a, C __b) {                                                       \
        return make_##C(__a.x * __b.x - __a.y * __b.y, __a.x * __b.y + __a.y * __b.x);                 \
    }                                                                                                  \
    __CUDAIR_COMPLEX C cuCdiv##S(C __a, C __b) {                                                       \
        T __scale = (T)1 / (FABS(__b.x) + FABS(__b.y));                                                \
        T __ar = __a.x * __scale, __ai = __a.y * __scale, __br = __b.x * __scale, __bi = __b.y * __scale; \
        T __inverse = (T)1 / (__br * __br + __bi * __bi);                                              \
        return make_##C((__ar * __br + __ai * __bi) * __inverse, (__ai * __br - __ar * __bi) * __inverse); \
    }                                                                                                  \
    __CUDAIR_COMPLEX T cuCabs##S(C __z) {                                                              \
        T __a = FABS(__z.x), __b = FABS(__z.y);                                                        \
        T __large = __a > __b ? __a : __b, __small = __a > __b ? __b : __a;                            \
        if (__large == (T)0 || !(__large <= (sizeof(T) == 4 ? (T)3.402823466e38f : (T)1.7976931348623157e308))) \
            return __a + __b;                                                                          \
        T __ratio = __small / __large;                                                                 \
        return __large * SQRT((T)1 + __ratio * __ratio);                                               \
    }                                                                                                  \
    __CUDAIR_COMPLEX C cuCfma##S(C __a, C __b, C __c) {                                                \
        T __r = __a.x * __b.x + __c.x, __i = __a.x * __b.y + __c.y;                                    \
        return make_##C(__r - __a.y * __b.y, __a.y * __b.x + __i);                                     \
    }
__CUDAIR_COMPLEX_OF(cuFloatComplex, float, f, fabsf, sqrtf)
__CUDAIR_COMPLEX_OF(cuDoubleComplex, double, , fabs, sqrt)
#undef __CUDAIR_COMPLEX_OF

__CUDAIR_COMPLEX cuComplex make_cuComplex(float __r, float __i) { return make_cuFloatComplex(__r, __i); }
__CUDAIR_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex __z) {
    return make_cuDoubleComplex((double)__z.x, (double)__z.y);
}
__CUDAIR_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex __z) {
    return make_cuFloatComplex((float)__z.x, (float)__z.y);
}
#undef __CUDAIR_COMPLEX

#endif
