/* SIMD within a word: operations on the two halves or the four bytes of an unsigned int. */
#ifndef CUDAIR_SIMD_H
#define CUDAIR_SIMD_H

/* E computes one element from x and y, of type T (the elements' type, wider after promotion). */
#define __CUDAIR_HALVES(N, T, E)                                                                       \
    __CUDAIR_D unsigned int __cudair_##N##1(T x, T y) { return (unsigned int)(E) & 0xffffu; }          \
    __CUDAIR_D unsigned int __##N(unsigned int a, unsigned int b) {                                    \
        return __cudair_##N##1((T)a, (T)b) | __cudair_##N##1((T)(a >> 16), (T)(b >> 16)) << 16;        \
    }
#define __CUDAIR_BYTES(N, T, E)                                                                        \
    __CUDAIR_D unsigned int __cudair_##N##1(T x, T y) { return (unsigned int)(E) & 0xffu; }            \
    __CUDAIR_D unsigned int __##N(unsigned int a, unsigned int b) {                                    \
        return __cudair_##N##1((T)a, (T)b) | __cudair_##N##1((T)(a >> 8), (T)(b >> 8)) << 8 |          \
               __cudair_##N##1((T)(a >> 16), (T)(b >> 16)) << 16 |                                     \
               __cudair_##N##1((T)(a >> 24), (T)(b >> 24)) << 24;                                      \
    }
/* Both widths of an operation on signed (S) or unsigned (U) elements. */
#define __CUDAIR_U(N, E)                                                                               \
    __CUDAIR_HALVES(N##2, unsigned short, E)                                                           \
    __CUDAIR_BYTES(N##4, unsigned char, E)
#define __CUDAIR_S(N, E)                                                                               \
    __CUDAIR_HALVES(N##2, short, E)                                                                    \
    __CUDAIR_BYTES(N##4, signed char, E)

__CUDAIR_U(vadd, x + y)
__CUDAIR_U(vsub, x - y)
__CUDAIR_U(vavgu, (x + y + 1) >> 1)
__CUDAIR_S(vavgs, (x + y + (x + y >= 0)) >> 1)
__CUDAIR_U(vhaddu, (x + y) >> 1)
__CUDAIR_U(vabsdiffu, x > y ? x - y : y - x)
__CUDAIR_S(vabsdiffs, x > y ? x - y : y - x)
__CUDAIR_U(vmaxu, x > y ? x : y)
__CUDAIR_S(vmaxs, x > y ? x : y)
__CUDAIR_U(vminu, x < y ? x : y)
__CUDAIR_S(vmins, x < y ? x : y)
__CUDAIR_HALVES(vaddus2, unsigned short, x + y > 0xffff ? 0xffff : x + y)
__CUDAIR_BYTES(vaddus4, unsigned char, x + y > 0xff ? 0xff : x + y)
__CUDAIR_U(vsubus, x > y ? x - y : 0)
__CUDAIR_HALVES(vaddss2, short, x + y > 32767 ? 32767 : x + y < -32768 ? -32768 : x + y)
__CUDAIR_BYTES(vaddss4, signed char, x + y > 127 ? 127 : x + y < -128 ? -128 : x + y)
__CUDAIR_HALVES(vsubss2, short, x - y > 32767 ? 32767 : x - y < -32768 ? -32768 : x - y)
__CUDAIR_BYTES(vsubss4, signed char, x - y > 127 ? 127 : x - y < -128 ? -128 : x - y)

/* Comparisons: all ones where they hold (vcmp), or one (vset). */
#define __CUDAIR_CMP(N, K, E)                                                                          \
    __CUDAIR_##K(vcmp##N, (E) ? -1 : 0)                                                                \
    __CUDAIR_##K(vset##N, (E) ? 1 : 0)
__CUDAIR_CMP(eq, U, x == y)
__CUDAIR_CMP(ne, U, x != y)
__CUDAIR_CMP(geu, U, x >= y)
__CUDAIR_CMP(gtu, U, x > y)
__CUDAIR_CMP(leu, U, x <= y)
__CUDAIR_CMP(ltu, U, x < y)
__CUDAIR_CMP(ges, S, x >= y)
__CUDAIR_CMP(gts, S, x > y)
__CUDAIR_CMP(les, S, x <= y)
__CUDAIR_CMP(lts, S, x < y)
#undef __CUDAIR_CMP

/* Of one word. */
#define __CUDAIR_ONE(N, K, E)                                                                          \
    __CUDAIR_##K(cudair_##N, E)                                                                        \
    __CUDAIR_D unsigned int __##N##2(unsigned int a) { return __cudair_##N##2(a, 0u); }                \
    __CUDAIR_D unsigned int __##N##4(unsigned int a) { return __cudair_##N##4(a, 0u); }
__CUDAIR_ONE(vabs, S, ((void)y, x < 0 ? -x : x))
__CUDAIR_ONE(vneg, S, ((void)y, -x))
__CUDAIR_HALVES(cudair_vabsss2, short, ((void)y, x == -32768 ? 32767 : x < 0 ? -x : x))
__CUDAIR_BYTES(cudair_vabsss4, signed char, ((void)y, x == -128 ? 127 : x < 0 ? -x : x))
__CUDAIR_HALVES(cudair_vnegss2, short, ((void)y, x == -32768 ? 32767 : -x))
__CUDAIR_BYTES(cudair_vnegss4, signed char, ((void)y, x == -128 ? 127 : -x))
__CUDAIR_D unsigned int __vabsss2(unsigned int a) { return __cudair_vabsss2(a, 0u); }
__CUDAIR_D unsigned int __vabsss4(unsigned int a) { return __cudair_vabsss4(a, 0u); }
__CUDAIR_D unsigned int __vnegss2(unsigned int a) { return __cudair_vnegss2(a, 0u); }
__CUDAIR_D unsigned int __vnegss4(unsigned int a) { return __cudair_vnegss4(a, 0u); }
#undef __CUDAIR_ONE

/* Sums of absolute differences. */
__CUDAIR_D unsigned int __vsadu2(unsigned int a, unsigned int b) {
    unsigned int d = __vabsdiffu2(a, b);
    return (d & 0xffffu) + (d >> 16);
}
__CUDAIR_D unsigned int __vsads2(unsigned int a, unsigned int b) {
    unsigned int d = __vabsdiffs2(a, b);
    return (d & 0xffffu) + (d >> 16);
}
__CUDAIR_D unsigned int __vsadu4(unsigned int a, unsigned int b) {
    unsigned int d = __vabsdiffu4(a, b);
    return (d & 0xffu) + (d >> 8 & 0xffu) + (d >> 16 & 0xffu) + (d >> 24);
}
__CUDAIR_D unsigned int __vsads4(unsigned int a, unsigned int b) {
    unsigned int d = __vabsdiffs4(a, b);
    return (d & 0xffu) + (d >> 8 & 0xffu) + (d >> 16 & 0xffu) + (d >> 24);
}
#undef __CUDAIR_U
#undef __CUDAIR_S
#undef __CUDAIR_HALVES
#undef __CUDAIR_BYTES

/* Three-way and clamped minima and maxima, of words and of packed halves. */
#define __CUDAIR_VI(OP, C)                                                                             \
    __CUDAIR_HD int __vi##OP##3_s32(int a, int b, int c) {                                             \
        int m = a C b ? a : b;                                                                         \
        return m C c ? m : c;                                                                          \
    }                                                                                                  \
    __CUDAIR_HD unsigned int __vi##OP##3_u32(unsigned int a, unsigned int b, unsigned int c) {         \
        unsigned int m = a C b ? a : b;                                                                \
        return m C c ? m : c;                                                                          \
    }                                                                                                  \
    __CUDAIR_HD int __vi##OP##_s32_relu(int a, int b) {                                                \
        int m = a C b ? a : b;                                                                         \
        return m > 0 ? m : 0;                                                                          \
    }                                                                                                  \
    __CUDAIR_HD int __vi##OP##3_s32_relu(int a, int b, int c) {                                        \
        int m = __vi##OP##3_s32(a, b, c);                                                              \
        return m > 0 ? m : 0;                                                                          \
    }
__CUDAIR_VI(max, >)
__CUDAIR_VI(min, <)
#undef __CUDAIR_VI

/* The same of halves, and with an addition first, which wraps; and which of two was taken. */
__CUDAIR_HD unsigned int __cudair_pack2(int lo, int hi) { return ((unsigned int)lo & 0xffffu) | (unsigned int)hi << 16; }
__CUDAIR_HD int __cudair_relu(int x) { return x > 0 ? x : 0; }
#define __CUDAIR_VI2(OP, C)                                                                            \
    __CUDAIR_HD int __cudair_vi##OP(int a, int b) { return a C b ? a : b; }                            \
    __CUDAIR_HD unsigned int __vi##OP##3_s16x2(unsigned int a, unsigned int b, unsigned int c) {       \
        return __cudair_pack2(__cudair_vi##OP(__cudair_vi##OP((short)a, (short)b), (short)c),          \
                              __cudair_vi##OP(__cudair_vi##OP((short)(a >> 16), (short)(b >> 16)),     \
                                              (short)(c >> 16)));                                      \
    }                                                                                                  \
    __CUDAIR_HD unsigned int __vi##OP##3_u16x2(unsigned int a, unsigned int b, unsigned int c) {       \
        return __cudair_pack2(                                                                         \
            __cudair_vi##OP(__cudair_vi##OP((unsigned short)a, (unsigned short)b), (unsigned short)c), \
            __cudair_vi##OP(__cudair_vi##OP((int)(a >> 16), (int)(b >> 16)), (int)(c >> 16)));         \
    }                                                                                                  \
    __CUDAIR_HD unsigned int __vi##OP##_s16x2_relu(unsigned int a, unsigned int b) {                   \
        return __cudair_pack2(__cudair_relu(__cudair_vi##OP((short)a, (short)b)),                      \
                              __cudair_relu(__cudair_vi##OP((short)(a >> 16), (short)(b >> 16))));     \
    }                                                                                                  \
    __CUDAIR_HD unsigned int __vi##OP##3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {  \
        unsigned int m = __vi##OP##3_s16x2(a, b, c);                                                   \
        return __cudair_pack2(__cudair_relu((short)m), __cudair_relu((short)(m >> 16)));               \
    }                                                                                                  \
    __CUDAIR_HD int __viadd##OP##_s32(int a, int b, int c) {                                           \
        int s = (int)((unsigned int)a + (unsigned int)b);                                              \
        return s C c ? s : c;                                                                          \
    }                                                                                                  \
    __CUDAIR_HD unsigned int __viadd##OP##_u32(unsigned int a, unsigned int b, unsigned int c) {       \
        unsigned int s = a + b;                                                                        \
        return s C c ? s : c;                                                                          \
    }                                                                                                  \
    __CUDAIR_HD int __viadd##OP##_s32_relu(int a, int b, int c) {                                      \
        return __cudair_relu(__viadd##OP##_s32(a, b, c));                                              \
    }                                                                                                  \
    __CUDAIR_HD unsigned int __viadd##OP##_s16x2(unsigned int a, unsigned int b, unsigned int c) {     \
        return __cudair_pack2(__cudair_vi##OP((short)(a + b), (short)c),                               \
                              __cudair_vi##OP((short)((a >> 16) + (b >> 16)), (short)(c >> 16)));      \
    }                                                                                                  \
    __CUDAIR_HD unsigned int __viadd##OP##_u16x2(unsigned int a, unsigned int b, unsigned int c) {     \
        return __cudair_pack2(__cudair_vi##OP((unsigned short)(a + b), (unsigned short)c),             \
                              __cudair_vi##OP((unsigned short)((a >> 16) + (b >> 16)), (int)(c >> 16))); \
    }                                                                                                  \
    __CUDAIR_HD unsigned int __viadd##OP##_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) { \
        unsigned int m = __viadd##OP##_s16x2(a, b, c);                                                 \
        return __cudair_pack2(__cudair_relu((short)m), __cudair_relu((short)(m >> 16)));               \
    }                                                                                                  \
    __CUDAIR_HD int __vib##OP##_s32(int a, int b, bool* first) {                                       \
        *first = a C##= b;                                                                             \
        return *first ? a : b;                                                                         \
    }                                                                                                  \
    __CUDAIR_HD unsigned int __vib##OP##_u32(unsigned int a, unsigned int b, bool* first) {            \
        *first = a C##= b;                                                                             \
        return *first ? a : b;                                                                         \
    }                                                                                                  \
    __CUDAIR_HD unsigned int __vib##OP##_s16x2(unsigned int a, unsigned int b, bool* hi, bool* lo) {   \
        *hi = (short)(a >> 16) C##= (short)(b >> 16);                                                  \
        *lo = (short)a C##= (short)b;                                                                  \
        return ((*hi ? a : b) & 0xffff0000u) | ((*lo ? a : b) & 0xffffu);                              \
    }                                                                                                  \
    __CUDAIR_HD unsigned int __vib##OP##_u16x2(unsigned int a, unsigned int b, bool* hi, bool* lo) {   \
        *hi = (a >> 16) C##= (b >> 16);                                                                \
        *lo = (a & 0xffffu) C##= (b & 0xffffu);                                                        \
        return ((*hi ? a : b) & 0xffff0000u) | ((*lo ? a : b) & 0xffffu);                              \
    }
__CUDAIR_VI2(max, >)
__CUDAIR_VI2(min, <)
#undef __CUDAIR_VI2

#endif
