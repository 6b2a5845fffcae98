/* Conversions of one 16-bit format, for a header that defines what it is called. No guard: it is read once for each.

     __CUDAIR_H, __CUDAIR_H2       the type and its pair
     __CUDAIR_ONE, __CUDAIR_TWO    both in the names of CUDA's functions
     __CUDAIR_F                    the format in the names of narrow.h */

#define __CUDAIR_PASTE_(a, b, c) a##b##c
#define __CUDAIR_PASTE(a, b, c) __CUDAIR_PASTE_(a, b, c)
#define __CUDAIR_TO(A, M) __CUDAIR_PASTE(__##A##2, __CUDAIR_ONE, M)
#define __CUDAIR_FROM(A, M) __CUDAIR_PASTE(__, __CUDAIR_ONE, 2##A##M)
#define __CUDAIR_VALUE(h) __CUDAIR_PASTE(__cudair_, __CUDAIR_F, _value)((h).__bits())
#define __CUDAIR_SEEN(h) __CUDAIR_PASTE(__cudair_, __CUDAIR_F, _float)((h).__bits())
#define __CUDAIR_NARROW(M, x) __CUDAIR_H::__of(__CUDAIR_PASTE(__cudair_, __CUDAIR_F, _##M)(x))

#define __CUDAIR_FLOAT(M)                                                                              \
    __CUDAIR_HD __CUDAIR_H __CUDAIR_TO(float, _##M)(const float x) { return __CUDAIR_NARROW(M, x); }
__CUDAIR_FLOAT(rn)
__CUDAIR_FLOAT(rz)
__CUDAIR_FLOAT(rd)
__CUDAIR_FLOAT(ru)
#undef __CUDAIR_FLOAT
__CUDAIR_HD float __CUDAIR_FROM(float, )(const __CUDAIR_H h) { return __CUDAIR_SEEN(h); }
__CUDAIR_HD __CUDAIR_H __CUDAIR_TO(float, )(const float x) { return __CUDAIR_NARROW(rn, x); }
__CUDAIR_HD __CUDAIR_H __CUDAIR_TO(double, )(const double x) { return __CUDAIR_NARROW(rn, __cudair_odd(x)); }

/* To integers in each mode, and back. */
#define __CUDAIR_INT(A, T, E, M)                                                                       \
    __CUDAIR_HD T __CUDAIR_FROM(A, _##M)(const __CUDAIR_H h) {                                         \
        return __cudair_to_##A(__cudair_round_##M(__CUDAIR_VALUE(h)));                                 \
    }                                                                                                  \
    __CUDAIR_HD __CUDAIR_H __CUDAIR_TO(A, _##M)(const T i) { return __CUDAIR_NARROW(M, E); }
#define __CUDAIR_INTS(A, T, E)                                                                         \
    __CUDAIR_INT(A, T, E, rn)                                                                          \
    __CUDAIR_INT(A, T, E, rz)                                                                          \
    __CUDAIR_INT(A, T, E, rd)                                                                          \
    __CUDAIR_INT(A, T, E, ru)
__CUDAIR_INTS(short, short, (float)i)
__CUDAIR_INTS(ushort, unsigned short, (float)i)
__CUDAIR_INTS(int, int, __cudair_odd_signed(i))
__CUDAIR_INTS(uint, unsigned int, __cudair_odd_integer(i, false))
__CUDAIR_INTS(ll, long long, __cudair_odd_signed(i))
__CUDAIR_INTS(ull, unsigned long long, __cudair_odd_integer(i, false))
#undef __CUDAIR_INTS
#undef __CUDAIR_INT
__CUDAIR_HD signed char __CUDAIR_FROM(char, _rz)(const __CUDAIR_H h) {
    return __cudair_to_char(__cudair_round_rz(__CUDAIR_VALUE(h)));
}
__CUDAIR_HD unsigned char __CUDAIR_FROM(uchar, _rz)(const __CUDAIR_H h) {
    return __cudair_to_uchar(__cudair_round_rz(__CUDAIR_VALUE(h)));
}
