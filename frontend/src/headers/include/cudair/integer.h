/* Integer intrinsics. */
#ifndef CUDAIR_INTEGER_H
#define CUDAIR_INTEGER_H

__CUDAIR_D int __popc(unsigned int x) { return __builtin_popcount(x); }
__CUDAIR_D int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__CUDAIR_D int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned int)x); }
__CUDAIR_D int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
__CUDAIR_D int __ffs(int x) { return __builtin_ffs(x); }
__CUDAIR_D int __ffsll(long long x) { return __builtin_ffsll(x); }
__CUDAIR_D unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
__CUDAIR_D unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }

__CUDAIR_D int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
__CUDAIR_D unsigned int __umulhi(unsigned int a, unsigned int b) {
    return (unsigned int)(((unsigned long long)a * b) >> 32);
}
__CUDAIR_D long long __mul64hi(long long a, long long b) { return (long long)(((__int128)a * b) >> 64); }
__CUDAIR_D unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
/* The product of the low 24 bits, its low 32 bits. */
__CUDAIR_D int __mul24(int a, int b) {
    return (int)((unsigned int)((int)((unsigned int)a << 8) >> 8) *
                 (unsigned int)((int)((unsigned int)b << 8) >> 8));
}
__CUDAIR_D unsigned int __umul24(unsigned int a, unsigned int b) {
    return (a & 0xffffffu) * (b & 0xffffffu);
}
__CUDAIR_D int mul24(int a, int b) { return __mul24(a, b); }
__CUDAIR_D unsigned int umul24(unsigned int a, unsigned int b) { return __umul24(a, b); }
__CUDAIR_D int mulhi(int a, int b) { return __mulhi(a, b); }
__CUDAIR_D unsigned int mulhi(unsigned int a, unsigned int b) { return __umulhi(a, b); }
__CUDAIR_D long long mul64hi(long long a, long long b) { return __mul64hi(a, b); }
__CUDAIR_D unsigned long long mul64hi(unsigned long long a, unsigned long long b) { return __umul64hi(a, b); }

__CUDAIR_D unsigned int __sad(int a, int b, unsigned int c) {
    return (a > b ? (unsigned int)a - (unsigned int)b : (unsigned int)b - (unsigned int)a) + c;
}
__CUDAIR_D unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) {
    return (a > b ? a - b : b - a) + c;
}
__CUDAIR_D int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
__CUDAIR_D int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
__CUDAIR_D unsigned int __uhadd(unsigned int a, unsigned int b) {
    return (unsigned int)(((unsigned long long)a + b) >> 1);
}
__CUDAIR_D unsigned int __urhadd(unsigned int a, unsigned int b) {
    return (unsigned int)(((unsigned long long)a + b + 1) >> 1);
}

/* Bytes of the pair y:x, chosen by four selectors of three bits; a fourth bit spreads the byte's sign. */
__CUDAIR_D unsigned int __cudair_prmt1(unsigned long long pair, unsigned int selector) {
    unsigned int byte = (unsigned int)(pair >> ((selector & 7u) * 8u)) & 0xffu;
    return (selector & 8u) ? ((byte & 0x80u) ? 0xffu : 0u) : byte;
}
__CUDAIR_D unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) {
    unsigned long long pair = ((unsigned long long)y << 32) | x;
    return __cudair_prmt1(pair, s & 7u) | (__cudair_prmt1(pair, (s >> 4) & 7u) << 8) |
           (__cudair_prmt1(pair, (s >> 8) & 7u) << 16) | (__cudair_prmt1(pair, (s >> 12) & 7u) << 24);
}
__CUDAIR_D unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int shift) {
    return (unsigned int)(((((unsigned long long)hi << 32) | lo) << (shift & 31u)) >> 32);
}
__CUDAIR_D unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int shift) {
    return (unsigned int)(((((unsigned long long)hi << 32) | lo) << (shift < 32u ? shift : 32u)) >> 32);
}
__CUDAIR_D unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int shift) {
    return (unsigned int)((((unsigned long long)hi << 32) | lo) >> (shift & 31u));
}
__CUDAIR_D unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int shift) {
    return (unsigned int)((((unsigned long long)hi << 32) | lo) >> (shift < 32u ? shift : 32u));
}

/* The position of the offset-th set bit of mask at or after (offset > 0) or before base, or all ones. */
static __inline__ __device__ unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
    if (base > 31u) return 0xffffffffu;
    if (offset == 0) return (mask >> base & 1u) ? base : 0xffffffffu;
    int step = offset > 0 ? 1 : -1;
    int left = offset > 0 ? offset : -offset;
    for (int bit = (int)base; bit >= 0 && bit < 32; bit += step) {
        if (mask >> bit & 1u) {
            left -= 1;
            if (left == 0) return (unsigned int)bit;
        }
    }
    return 0xffffffffu;
}

/* Dot products of packed elements, added to c; the sum wraps. */
#define __CUDAIR_DOT4(T, A, B, C)                                                                      \
    __CUDAIR_D T __dp4a(A a, B b, T c) {                                                               \
        return (T)((unsigned int)c + (unsigned int)((int)(C)a * (C)b) +                                \
                   (unsigned int)((int)(C)(a >> 8) * (C)(b >> 8)) +                                    \
                   (unsigned int)((int)(C)(a >> 16) * (C)(b >> 16)) +                                  \
                   (unsigned int)((int)(C)(a >> 24) * (C)(b >> 24)));                                  \
    }
__CUDAIR_DOT4(int, int, int, signed char)
__CUDAIR_DOT4(unsigned int, unsigned int, unsigned int, unsigned char)
#undef __CUDAIR_DOT4
__CUDAIR_D int __dp4a(char4 a, char4 b, int c) {
    return (int)((unsigned int)c + (unsigned int)(a.x * b.x) + (unsigned int)(a.y * b.y) +
                 (unsigned int)(a.z * b.z) + (unsigned int)(a.w * b.w));
}
__CUDAIR_D unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
    return c + (unsigned int)(a.x * b.x) + (unsigned int)(a.y * b.y) + (unsigned int)(a.z * b.z) +
           (unsigned int)(a.w * b.w);
}
#define __CUDAIR_DOT2(N, T, H, B, S)                                                                   \
    __CUDAIR_D T N(T a, T b, T c) {                                                                    \
        return (T)((unsigned int)c + (unsigned int)((int)(H)a * (B)(b >> (S))) +                       \
                   (unsigned int)((int)(H)(a >> 16) * (B)(b >> ((S) + 8))));                           \
    }
__CUDAIR_DOT2(__dp2a_lo, int, short, signed char, 0)
__CUDAIR_DOT2(__dp2a_lo, unsigned int, unsigned short, unsigned char, 0)
__CUDAIR_DOT2(__dp2a_hi, int, short, signed char, 16)
__CUDAIR_DOT2(__dp2a_hi, unsigned int, unsigned short, unsigned char, 16)
#undef __CUDAIR_DOT2

#endif
