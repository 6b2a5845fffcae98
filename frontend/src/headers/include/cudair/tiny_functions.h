/* The conversion functions of the formats of 8, 6 or 4 bits. No guard: it is read once for each, by a
   header that defines

     __CUDAIR_N                    fp8, fp6 or fp4: how the functions are called
     __CUDAIR_S, __CUDAIR_S2       what holds one number and a pair
     __CUDAIR_KIND, __CUDAIR_WIDE  the enumeration of the formats, and its member with the longer exponent
     __CUDAIR_MORE, __CUDAIR_LESS  exponent, fraction and specials of both formats (see tiny.h)
     __CUDAIR_FIRST, __CUDAIR_SECOND, __CUDAIR_PASSED
                                   the parameters that follow the number, in fp8's order or that of the others, `kind`
                                   among them, and their names
     __CUDAIR_ROUND                saturation and rounding, of these parameters
     __CUDAIR_SHIFT                from one number of a pair to the other, in bits */

#define __CUDAIR_PASTE_(a, b, c) a##b##c
#define __CUDAIR_PASTE(a, b, c) __CUDAIR_PASTE_(a, b, c)
#define __CUDAIR_TO(A) __CUDAIR_PASTE(__nv_cvt_##A##_to_, __CUDAIR_N, )
#define __CUDAIR_TO2(A) __CUDAIR_PASTE(__nv_cvt_##A##_to_, __CUDAIR_N, x2)
#define __CUDAIR_PAIR(hi, lo) (__CUDAIR_S2)((unsigned int)(hi) << __CUDAIR_SHIFT | (unsigned int)(lo))
#define __CUDAIR_MASK ((1u << __CUDAIR_SHIFT) - 1)

__CUDAIR_HD __CUDAIR_S __CUDAIR_TO(double)(const double x, __CUDAIR_FIRST, __CUDAIR_SECOND) {
    return kind == __CUDAIR_WIDE ? __cudair_tiny(x, __CUDAIR_MORE, __CUDAIR_ROUND)
                                 : __cudair_tiny(x, __CUDAIR_LESS, __CUDAIR_ROUND);
}
__CUDAIR_HD __CUDAIR_S2 __CUDAIR_TO2(double2)(const double2 x, __CUDAIR_FIRST, __CUDAIR_SECOND) {
    return __CUDAIR_PAIR(__CUDAIR_TO(double)(x.y, __CUDAIR_PASSED), __CUDAIR_TO(double)(x.x, __CUDAIR_PASSED));
}
__CUDAIR_HD __CUDAIR_S __CUDAIR_TO(float)(const float x, __CUDAIR_FIRST, __CUDAIR_SECOND) {
    return __CUDAIR_TO(double)(__cudair_quiet(x), __CUDAIR_PASSED);
}
__CUDAIR_HD __CUDAIR_S2 __CUDAIR_TO2(float2)(const float2 x, __CUDAIR_FIRST, __CUDAIR_SECOND) {
    return __CUDAIR_PAIR(__CUDAIR_TO(float)(x.y, __CUDAIR_PASSED), __CUDAIR_TO(float)(x.x, __CUDAIR_PASSED));
}
__CUDAIR_HD __CUDAIR_S __CUDAIR_TO(halfraw)(const __half_raw x, __CUDAIR_FIRST, __CUDAIR_SECOND) {
    return __CUDAIR_TO(float)(__cudair_half_float(x.x), __CUDAIR_PASSED);
}
__CUDAIR_HD __CUDAIR_S2 __CUDAIR_TO2(halfraw2)(const __half2_raw x, __CUDAIR_FIRST, __CUDAIR_SECOND) {
    return __CUDAIR_PAIR(__CUDAIR_TO(float)(__cudair_half_float(x.y), __CUDAIR_PASSED),
                         __CUDAIR_TO(float)(__cudair_half_float(x.x), __CUDAIR_PASSED));
}
__CUDAIR_HD __CUDAIR_S __CUDAIR_TO(bfloat16raw)(const __nv_bfloat16_raw x, __CUDAIR_FIRST, __CUDAIR_SECOND) {
    return __CUDAIR_TO(float)(__cudair_bf16_value(x.x), __CUDAIR_PASSED);
}
__CUDAIR_HD __CUDAIR_S2 __CUDAIR_TO2(bfloat16raw2)(const __nv_bfloat162_raw x, __CUDAIR_FIRST, __CUDAIR_SECOND) {
    return __CUDAIR_PAIR(__CUDAIR_TO(float)(__cudair_bf16_value(x.y), __CUDAIR_PASSED),
                         __CUDAIR_TO(float)(__cudair_bf16_value(x.x), __CUDAIR_PASSED));
}
__CUDAIR_HD __half_raw __CUDAIR_PASTE(__nv_cvt_, __CUDAIR_N, _to_halfraw)(const __CUDAIR_S x,
                                                                          const __CUDAIR_KIND kind) {
    __half_raw r;
    r.x = kind == __CUDAIR_WIDE ? __cudair_tiny_half(x, __CUDAIR_MORE) : __cudair_tiny_half(x, __CUDAIR_LESS);
    return r;
}
__CUDAIR_HD __half2_raw __CUDAIR_PASTE(__nv_cvt_, __CUDAIR_N, x2_to_halfraw2)(const __CUDAIR_S2 x,
                                                                              const __CUDAIR_KIND kind) {
    __half2_raw r;
    r.x = __CUDAIR_PASTE(__nv_cvt_, __CUDAIR_N, _to_halfraw)((__CUDAIR_S)(x & __CUDAIR_MASK), kind).x;
    r.y = __CUDAIR_PASTE(__nv_cvt_, __CUDAIR_N, _to_halfraw)((__CUDAIR_S)(x >> __CUDAIR_SHIFT & __CUDAIR_MASK), kind).x;
    return r;
}

#undef __CUDAIR_TO
#undef __CUDAIR_TO2
#undef __CUDAIR_PAIR
#undef __CUDAIR_MASK
#undef __CUDAIR_PASTE
#undef __CUDAIR_PASTE_
