/* Operations that both 16-bit formats have under one name. No guard: it is read once for each, after
   narrow_convert.h. Binary32 holds every sum, difference, product, quotient and square root of theirs precisely enough
   to round twice. */

#define __CUDAIR_ROUND(x) __CUDAIR_NARROW(rn, x)
#define __CUDAIR_PAIR(x, y) __CUDAIR_H2(x, y)
/* Into [0, 1]; not a number becomes 0. */
__CUDAIR_HD __CUDAIR_H __cudair_clamped(const __CUDAIR_H h) {
    float x = __CUDAIR_VALUE(h);
    return !(x > 0) ? __CUDAIR_H::__of(0) : x > 1 ? __CUDAIR_ROUND(1.0f) : h;
}
__CUDAIR_HD __CUDAIR_H __cudair_rectified(const __CUDAIR_H h) {
    float x = __CUDAIR_VALUE(h);
    return x < 0 || h.__bits() == 0x8000u ? __CUDAIR_H::__of(0) : h;
}

#define __CUDAIR_ARITH(N, OP)                                                                          \
    __CUDAIR_HD __CUDAIR_H __h##N(const __CUDAIR_H a, const __CUDAIR_H b) {                            \
        return __CUDAIR_ROUND(__CUDAIR_VALUE(a) OP __CUDAIR_VALUE(b));                                 \
    }                                                                                                  \
    __CUDAIR_HD __CUDAIR_H2 __h##N##2(const __CUDAIR_H2 a, const __CUDAIR_H2 b) {                      \
        return __CUDAIR_PAIR(__h##N(a.x, b.x), __h##N(a.y, b.y));                                      \
    }
#define __CUDAIR_ARITH_MORE(N)                                                                         \
    __CUDAIR_HD __CUDAIR_H __h##N##_rn(const __CUDAIR_H a, const __CUDAIR_H b) { return __h##N(a, b); } \
    __CUDAIR_HD __CUDAIR_H __h##N##_sat(const __CUDAIR_H a, const __CUDAIR_H b) {                      \
        return __cudair_clamped(__h##N(a, b));                                                         \
    }                                                                                                  \
    __CUDAIR_HD __CUDAIR_H2 __h##N##2_rn(const __CUDAIR_H2 a, const __CUDAIR_H2 b) {                   \
        return __h##N##2(a, b);                                                                        \
    }                                                                                                  \
    __CUDAIR_HD __CUDAIR_H2 __h##N##2_sat(const __CUDAIR_H2 a, const __CUDAIR_H2 b) {                  \
        return __CUDAIR_PAIR(__h##N##_sat(a.x, b.x), __h##N##_sat(a.y, b.y));                          \
    }
__CUDAIR_ARITH(add, +)
__CUDAIR_ARITH(sub, -)
__CUDAIR_ARITH(mul, *)
__CUDAIR_ARITH(div, /)
__CUDAIR_HD __CUDAIR_H2 __h2div(const __CUDAIR_H2 a, const __CUDAIR_H2 b) { return __hdiv2(a, b); }
__CUDAIR_ARITH_MORE(add)
__CUDAIR_ARITH_MORE(sub)
__CUDAIR_ARITH_MORE(mul)
#undef __CUDAIR_ARITH
#undef __CUDAIR_ARITH_MORE

/* Rounded once. */
__CUDAIR_HD __CUDAIR_H __hfma(const __CUDAIR_H a, const __CUDAIR_H b, const __CUDAIR_H c) {
    return __CUDAIR_H::__of(__CUDAIR_PASTE(__cudair_, __CUDAIR_F, _fma)(a.__bits(), b.__bits(), c.__bits()));
}
__CUDAIR_HD __CUDAIR_H __hfma_sat(const __CUDAIR_H a, const __CUDAIR_H b, const __CUDAIR_H c) {
    return __cudair_clamped(__hfma(a, b, c));
}
__CUDAIR_HD __CUDAIR_H __hfma_relu(const __CUDAIR_H a, const __CUDAIR_H b, const __CUDAIR_H c) {
    return __cudair_rectified(__hfma(a, b, c));
}
#define __CUDAIR_FMA2(S)                                                                               \
    __CUDAIR_HD __CUDAIR_H2 __hfma2##S(const __CUDAIR_H2 a, const __CUDAIR_H2 b, const __CUDAIR_H2 c) { \
        return __CUDAIR_PAIR(__hfma##S(a.x, b.x, c.x), __hfma##S(a.y, b.y, c.y));                      \
    }
__CUDAIR_FMA2()
__CUDAIR_FMA2(_sat)
__CUDAIR_FMA2(_relu)
#undef __CUDAIR_FMA2
/* Complex numbers: a * b + c. */
__CUDAIR_HD __CUDAIR_H2 __hcmadd(const __CUDAIR_H2 a, const __CUDAIR_H2 b, const __CUDAIR_H2 c) {
    __CUDAIR_H re = __hfma(a.x, b.x, c.x), im = __hfma(a.x, b.y, c.y);
    return __CUDAIR_PAIR(__hfma(__CUDAIR_H::__of((unsigned short)(a.y.__bits() ^ 0x8000u)), b.y, re),
                         __hfma(a.y, b.x, im));
}
/* Both are arithmetic: what is no number has the one pattern of bits afterwards. */
__CUDAIR_HD __CUDAIR_H __hneg(const __CUDAIR_H a) {
    float x = __CUDAIR_VALUE(a);
    return __CUDAIR_H::__of((unsigned short)(x != x ? 0x7fffu : a.__bits() ^ 0x8000u));
}
__CUDAIR_HD __CUDAIR_H __habs(const __CUDAIR_H a) {
    float x = __CUDAIR_VALUE(a);
    return __CUDAIR_H::__of((unsigned short)(x != x ? 0x7fffu : a.__bits() & 0x7fffu));
}
__CUDAIR_HD __CUDAIR_H2 __hneg2(const __CUDAIR_H2 a) { return __CUDAIR_PAIR(__hneg(a.x), __hneg(a.y)); }
__CUDAIR_HD __CUDAIR_H2 __habs2(const __CUDAIR_H2 a) { return __CUDAIR_PAIR(__habs(a.x), __habs(a.y)); }

/* Comparisons: ordered ones are false and unordered ones true where an operand is not a number. */
#define __CUDAIR_COMPARE(N, E)                                                                         \
    __CUDAIR_HD bool __h##N(const __CUDAIR_H a, const __CUDAIR_H b) {                                  \
        float x = __CUDAIR_VALUE(a), y = __CUDAIR_VALUE(b);                                            \
        return E;                                                                                      \
    }                                                                                                  \
    __CUDAIR_HD __CUDAIR_H2 __h##N##2(const __CUDAIR_H2 a, const __CUDAIR_H2 b) {                      \
        return __CUDAIR_PAIR(__CUDAIR_ROUND(__h##N(a.x, b.x) ? 1.0f : 0.0f),                           \
                             __CUDAIR_ROUND(__h##N(a.y, b.y) ? 1.0f : 0.0f));                          \
    }                                                                                                  \
    __CUDAIR_HD bool __hb##N##2(const __CUDAIR_H2 a, const __CUDAIR_H2 b) {                            \
        return __h##N(a.x, b.x) && __h##N(a.y, b.y);                                                   \
    }                                                                                                  \
    __CUDAIR_HD unsigned int __h##N##2_mask(const __CUDAIR_H2 a, const __CUDAIR_H2 b) {                \
        return (__h##N(a.x, b.x) ? 0xffffu : 0u) | (__h##N(a.y, b.y) ? 0xffff0000u : 0u);              \
    }
__CUDAIR_COMPARE(eq, x == y)
__CUDAIR_COMPARE(ne, x < y || x > y)
__CUDAIR_COMPARE(le, x <= y)
__CUDAIR_COMPARE(ge, x >= y)
__CUDAIR_COMPARE(lt, x < y)
__CUDAIR_COMPARE(gt, x > y)
__CUDAIR_COMPARE(equ, !(x < y || x > y))
__CUDAIR_COMPARE(neu, x != y)
__CUDAIR_COMPARE(leu, !(x > y))
__CUDAIR_COMPARE(geu, !(x < y))
__CUDAIR_COMPARE(ltu, !(x >= y))
__CUDAIR_COMPARE(gtu, !(x <= y))
#undef __CUDAIR_COMPARE
__CUDAIR_HD bool __hisnan(const __CUDAIR_H a) { return __CUDAIR_VALUE(a) != __CUDAIR_VALUE(a); }
__CUDAIR_HD __CUDAIR_H2 __hisnan2(const __CUDAIR_H2 a) {
    return __CUDAIR_PAIR(__CUDAIR_ROUND(__hisnan(a.x) ? 1.0f : 0.0f), __CUDAIR_ROUND(__hisnan(a.y) ? 1.0f : 0.0f));
}
/* -1 and 1 tell the infinities apart. */
__CUDAIR_HD int __hisinf(const __CUDAIR_H a) {
    float x = __CUDAIR_VALUE(a);
    return x == __builtin_inff() ? 1 : x == -__builtin_inff() ? -1 : 0;
}

/* Extremes: a number wins against what is none, or loses (_nan); +0 is above -0. */
#define __CUDAIR_EXTREME(N, C, Z)                                                                      \
    __CUDAIR_HD __CUDAIR_H __h##N##_nan(const __CUDAIR_H a, const __CUDAIR_H b) {                      \
        float x = __CUDAIR_VALUE(a), y = __CUDAIR_VALUE(b);                                            \
        unsigned short bits = x C y ? a.__bits() : y C x ? b.__bits()                                  \
                                                         : (unsigned short)(a.__bits() Z b.__bits());  \
        return __CUDAIR_H::__of(x != x || y != y ? (unsigned short)0x7fff : bits);                     \
    }                                                                                                  \
    __CUDAIR_HD __CUDAIR_H __h##N(const __CUDAIR_H a, const __CUDAIR_H b) {                            \
        return !__hisnan(b) && __hisnan(a) ? b : !__hisnan(a) && __hisnan(b) ? a : __h##N##_nan(a, b); \
    }                                                                                                  \
    __CUDAIR_HD __CUDAIR_H2 __h##N##2(const __CUDAIR_H2 a, const __CUDAIR_H2 b) {                      \
        return __CUDAIR_PAIR(__h##N(a.x, b.x), __h##N(a.y, b.y));                                      \
    }                                                                                                  \
    __CUDAIR_HD __CUDAIR_H2 __h##N##2_nan(const __CUDAIR_H2 a, const __CUDAIR_H2 b) {                  \
        return __CUDAIR_PAIR(__h##N##_nan(a.x, b.x), __h##N##_nan(a.y, b.y));                          \
    }
__CUDAIR_EXTREME(max, >, &)
__CUDAIR_EXTREME(min, <, |)
#undef __CUDAIR_EXTREME

/* Pairs. */
#define __CUDAIR_ONES(PRE, POST) __CUDAIR_PASTE(PRE, __CUDAIR_ONE, POST)
#define __CUDAIR_TWOS(PRE, POST) __CUDAIR_PASTE(PRE, __CUDAIR_TWO, POST)
__CUDAIR_HD __CUDAIR_H2 __CUDAIR_TWOS(make_, )(const __CUDAIR_H x, const __CUDAIR_H y) { return __CUDAIR_PAIR(x, y); }
__CUDAIR_HD __CUDAIR_H2 __CUDAIR_TWOS(__halves2, )(const __CUDAIR_H a, const __CUDAIR_H b) {
    return __CUDAIR_PAIR(a, b);
}
__CUDAIR_HD __CUDAIR_H2 __CUDAIR_PASTE(__CUDAIR_ONES(__, 2), __CUDAIR_TWO, )(const __CUDAIR_H a) {
    return __CUDAIR_PAIR(a, a);
}
__CUDAIR_HD __CUDAIR_H __CUDAIR_ONES(__low2, )(const __CUDAIR_H2 a) { return a.x; }
__CUDAIR_HD __CUDAIR_H __CUDAIR_ONES(__high2, )(const __CUDAIR_H2 a) { return a.y; }
__CUDAIR_HD __CUDAIR_H2 __CUDAIR_TWOS(__low2, )(const __CUDAIR_H2 a) { return __CUDAIR_PAIR(a.x, a.x); }
__CUDAIR_HD __CUDAIR_H2 __CUDAIR_TWOS(__high2, )(const __CUDAIR_H2 a) { return __CUDAIR_PAIR(a.y, a.y); }
__CUDAIR_HD __CUDAIR_H2 __lowhigh2highlow(const __CUDAIR_H2 a) { return __CUDAIR_PAIR(a.y, a.x); }
__CUDAIR_HD __CUDAIR_H2 __CUDAIR_TWOS(__lows2, )(const __CUDAIR_H2 a, const __CUDAIR_H2 b) {
    return __CUDAIR_PAIR(a.x, b.x);
}
__CUDAIR_HD __CUDAIR_H2 __CUDAIR_TWOS(__highs2, )(const __CUDAIR_H2 a, const __CUDAIR_H2 b) {
    return __CUDAIR_PAIR(a.y, b.y);
}
__CUDAIR_HD float __low2float(const __CUDAIR_H2 a) { return __CUDAIR_SEEN(a.x); }
__CUDAIR_HD float __high2float(const __CUDAIR_H2 a) { return __CUDAIR_SEEN(a.y); }
__CUDAIR_HD __CUDAIR_H2 __CUDAIR_TWOS(__float2, _rn)(const float a) {
    return __CUDAIR_PAIR(__CUDAIR_ROUND(a), __CUDAIR_ROUND(a));
}
__CUDAIR_HD __CUDAIR_H2 __CUDAIR_TWOS(__floats2, _rn)(const float a, const float b) {
    return __CUDAIR_PAIR(__CUDAIR_ROUND(a), __CUDAIR_ROUND(b));
}
__CUDAIR_HD __CUDAIR_H2 __CUDAIR_TWOS(__float22, _rn)(const float2 a) {
    return __CUDAIR_PAIR(__CUDAIR_ROUND(a.x), __CUDAIR_ROUND(a.y));
}
__CUDAIR_HD float2 __CUDAIR_TWOS(__, 2float2)(const __CUDAIR_H2 a) {
    return make_float2(__CUDAIR_SEEN(a.x), __CUDAIR_SEEN(a.y));
}
__CUDAIR_HD short int __CUDAIR_ONES(__, _as_short)(const __CUDAIR_H h) { return (short)h.__bits(); }
__CUDAIR_HD unsigned short int __CUDAIR_ONES(__, _as_ushort)(const __CUDAIR_H h) { return h.__bits(); }
__CUDAIR_HD __CUDAIR_H __CUDAIR_ONES(__short_as_, )(const short int i) { return __CUDAIR_H::__of((unsigned short)i); }
__CUDAIR_HD __CUDAIR_H __CUDAIR_ONES(__ushort_as_, )(const unsigned short int i) { return __CUDAIR_H::__of(i); }

/* To integral values, and functions that are approximations of the hardware; both on the device. */
#if defined(__CUDA__)
#define __CUDAIR_FUNCTION(N, E)                                                                        \
    __CUDAIR_D __CUDAIR_H h##N(const __CUDAIR_H a) {                                                   \
        float x = __CUDAIR_VALUE(a);                                                                   \
        return __CUDAIR_ROUND(E);                                                                      \
    }                                                                                                  \
    __CUDAIR_D __CUDAIR_H2 h2##N(const __CUDAIR_H2 a) { return __CUDAIR_PAIR(h##N(a.x), h##N(a.y)); }
__CUDAIR_FUNCTION(trunc, truncf(x))
__CUDAIR_FUNCTION(ceil, ceilf(x))
__CUDAIR_FUNCTION(floor, floorf(x))
__CUDAIR_FUNCTION(rint, rintf(x))
__CUDAIR_FUNCTION(sqrt, sqrtf(x))
__CUDAIR_FUNCTION(rsqrt, rsqrtf(x))
__CUDAIR_FUNCTION(rcp, 1.0f / x)
__CUDAIR_FUNCTION(log, logf(x))
__CUDAIR_FUNCTION(log2, log2f(x))
__CUDAIR_FUNCTION(log10, log10f(x))
__CUDAIR_FUNCTION(exp, expf(x))
__CUDAIR_FUNCTION(exp2, exp2f(x))
__CUDAIR_FUNCTION(exp10, exp10f(x))
__CUDAIR_FUNCTION(sin, sinf(x))
__CUDAIR_FUNCTION(cos, cosf(x))
__CUDAIR_FUNCTION(tanh, tanhf(x))
__CUDAIR_FUNCTION(tanh_approx, tanhf(x))
#undef __CUDAIR_FUNCTION

/* Shuffles. */
__CUDAIR_HD unsigned int __cudair_packed(const __CUDAIR_H a) { return a.__bits(); }
__CUDAIR_HD unsigned int __cudair_packed(const __CUDAIR_H2 a) {
    return a.x.__bits() | (unsigned int)a.y.__bits() << 16;
}
__CUDAIR_HD void __cudair_unpack(__CUDAIR_H& out, unsigned int bits) { out = __CUDAIR_H::__of((unsigned short)bits); }
__CUDAIR_HD void __cudair_unpack(__CUDAIR_H2& out, unsigned int bits) {
    out.x = __CUDAIR_H::__of((unsigned short)bits);
    out.y = __CUDAIR_H::__of((unsigned short)(bits >> 16));
}
#define __CUDAIR_SHUFFLE(T, N, D)                                                                      \
    __CUDAIR_D T N(const unsigned int mask, const T value, const D how, const int width = 32) {        \
        T out;                                                                                         \
        __cudair_unpack(out, N(mask, __cudair_packed(value), how, width));                             \
        return out;                                                                                    \
    }
#define __CUDAIR_SHUFFLES(T)                                                                           \
    __CUDAIR_SHUFFLE(T, __shfl_sync, int)                                                              \
    __CUDAIR_SHUFFLE(T, __shfl_up_sync, unsigned int)                                                  \
    __CUDAIR_SHUFFLE(T, __shfl_down_sync, unsigned int)                                                \
    __CUDAIR_SHUFFLE(T, __shfl_xor_sync, int)
__CUDAIR_SHUFFLES(__CUDAIR_H)
__CUDAIR_SHUFFLES(__CUDAIR_H2)
#undef __CUDAIR_SHUFFLES
#undef __CUDAIR_SHUFFLE

/* Loads and stores with a cache hint. */
#define __CUDAIR_LOADS(T, W)                                                                           \
    __CUDAIR_D T __ldg(const T* const ptr) { return *ptr; }                                            \
    __CUDAIR_D T __ldca(const T* const ptr) { return *ptr; }                                           \
    __CUDAIR_D T __ldcg(const T* const ptr) { return *ptr; }                                           \
    __CUDAIR_D T __ldcs(const T* const ptr) { return *ptr; }                                           \
    __CUDAIR_D T __ldlu(const T* const ptr) { return *ptr; }                                           \
    __CUDAIR_D T __ldcv(const T* const ptr) {                                                          \
        T out;                                                                                         \
        __cudair_unpack(out, *(const volatile W*)ptr);                                                 \
        return out;                                                                                    \
    }                                                                                                  \
    __CUDAIR_D void __stwb(T* const ptr, const T value) { *ptr = value; }                              \
    __CUDAIR_D void __stcg(T* const ptr, const T value) { *ptr = value; }                              \
    __CUDAIR_D void __stcs(T* const ptr, const T value) { *ptr = value; }                              \
    __CUDAIR_D void __stwt(T* const ptr, const T value) { *(volatile W*)ptr = (W)__cudair_packed(value); }
__CUDAIR_LOADS(__CUDAIR_H, unsigned short)
__CUDAIR_LOADS(__CUDAIR_H2, unsigned int)
#undef __CUDAIR_LOADS

/* Of a pair each half is atomic by itself. */
__CUDAIR_D __CUDAIR_H atomicAdd(__CUDAIR_H* const ptr, const __CUDAIR_H value) {
    return __CUDAIR_H::__of(__CUDAIR_ATOMIC_ADD(ptr, value.__bits()));
}
__CUDAIR_D __CUDAIR_H2 atomicAdd(__CUDAIR_H2* const ptr, const __CUDAIR_H2 value) {
    __CUDAIR_H low = atomicAdd(&ptr->x, value.x);
    return __CUDAIR_PAIR(low, atomicAdd(&ptr->y, value.y));
}
#endif

#define __CUDAIR_OPERATOR(T, OP, N)                                                                    \
    __CUDAIR_HD T operator OP(const T& a, const T& b) { return N(a, b); }                              \
    __CUDAIR_HD T& operator OP##=(T& a, const T& b) {                                                  \
        a = N(a, b);                                                                                   \
        return a;                                                                                      \
    }
#define __CUDAIR_STEP(T, OP, N, ONE)                                                                   \
    __CUDAIR_HD T& operator OP(T& a) {                                                                 \
        a = N(a, ONE);                                                                                 \
        return a;                                                                                      \
    }                                                                                                  \
    __CUDAIR_HD T operator OP(T& a, const int) {                                                       \
        T old = a;                                                                                     \
        a = N(a, ONE);                                                                                 \
        return old;                                                                                    \
    }
#if !defined(__CUDAIR_NO_OPERATORS)
__CUDAIR_OPERATOR(__CUDAIR_H, +, __hadd)
__CUDAIR_OPERATOR(__CUDAIR_H, -, __hsub)
__CUDAIR_OPERATOR(__CUDAIR_H, *, __hmul)
__CUDAIR_OPERATOR(__CUDAIR_H, /, __hdiv)
__CUDAIR_STEP(__CUDAIR_H, ++, __hadd, __CUDAIR_ROUND(1.0f))
__CUDAIR_STEP(__CUDAIR_H, --, __hsub, __CUDAIR_ROUND(1.0f))
__CUDAIR_HD __CUDAIR_H operator+(const __CUDAIR_H& a) { return a; }
__CUDAIR_HD __CUDAIR_H operator-(const __CUDAIR_H& a) { return __hneg(a); }
__CUDAIR_HD bool operator==(const __CUDAIR_H& a, const __CUDAIR_H& b) { return __heq(a, b); }
__CUDAIR_HD bool operator!=(const __CUDAIR_H& a, const __CUDAIR_H& b) { return __hneu(a, b); }
__CUDAIR_HD bool operator>(const __CUDAIR_H& a, const __CUDAIR_H& b) { return __hgt(a, b); }
__CUDAIR_HD bool operator<(const __CUDAIR_H& a, const __CUDAIR_H& b) { return __hlt(a, b); }
__CUDAIR_HD bool operator>=(const __CUDAIR_H& a, const __CUDAIR_H& b) { return __hge(a, b); }
__CUDAIR_HD bool operator<=(const __CUDAIR_H& a, const __CUDAIR_H& b) { return __hle(a, b); }
#endif
#if !defined(__CUDAIR_NO_OPERATORS2)
__CUDAIR_OPERATOR(__CUDAIR_H2, +, __hadd2)
__CUDAIR_OPERATOR(__CUDAIR_H2, -, __hsub2)
__CUDAIR_OPERATOR(__CUDAIR_H2, *, __hmul2)
__CUDAIR_OPERATOR(__CUDAIR_H2, /, __h2div)
__CUDAIR_STEP(__CUDAIR_H2, ++, __hadd2, __CUDAIR_TWOS(__float2, _rn)(1.0f))
__CUDAIR_STEP(__CUDAIR_H2, --, __hsub2, __CUDAIR_TWOS(__float2, _rn)(1.0f))
__CUDAIR_HD __CUDAIR_H2 operator+(const __CUDAIR_H2& a) { return a; }
__CUDAIR_HD __CUDAIR_H2 operator-(const __CUDAIR_H2& a) { return __hneg2(a); }
__CUDAIR_HD bool operator==(const __CUDAIR_H2& a, const __CUDAIR_H2& b) { return __hbeq2(a, b); }
__CUDAIR_HD bool operator!=(const __CUDAIR_H2& a, const __CUDAIR_H2& b) { return __hbneu2(a, b); }
__CUDAIR_HD bool operator>(const __CUDAIR_H2& a, const __CUDAIR_H2& b) { return __hbgt2(a, b); }
__CUDAIR_HD bool operator<(const __CUDAIR_H2& a, const __CUDAIR_H2& b) { return __hblt2(a, b); }
__CUDAIR_HD bool operator>=(const __CUDAIR_H2& a, const __CUDAIR_H2& b) { return __hbge2(a, b); }
__CUDAIR_HD bool operator<=(const __CUDAIR_H2& a, const __CUDAIR_H2& b) { return __hble2(a, b); }
#endif
#undef __CUDAIR_OPERATOR
#undef __CUDAIR_STEP

#undef __CUDAIR_ROUND
#undef __CUDAIR_PAIR
#undef __CUDAIR_ONES
#undef __CUDAIR_TWOS
#undef __CUDAIR_VALUE
#undef __CUDAIR_SEEN
#undef __CUDAIR_NARROW
#undef __CUDAIR_PASTE
#undef __CUDAIR_PASTE_
#undef __CUDAIR_TO
#undef __CUDAIR_FROM
#undef __CUDAIR_H
#undef __CUDAIR_H2
#undef __CUDAIR_F
#undef __CUDAIR_ONE
#undef __CUDAIR_TWO
#undef __CUDAIR_RAW
#undef __CUDAIR_WIDEN
#undef __CUDAIR_AS_FLOAT
#undef __CUDAIR_NARROW_RN
#undef __CUDAIR_ATOMIC_ADD
#undef __CUDAIR_NO_CONVERSIONS
#undef __CUDAIR_NO_OPERATORS
#undef __CUDAIR_NO_OPERATORS2
