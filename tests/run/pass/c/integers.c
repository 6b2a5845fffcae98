/* Integer types: sizes, conversions, promotions, wrap-around, shifts, division, comparison of mixed signs. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static unsigned char uc;
static signed char sc;

int main(void) {
    printf("%zu %zu %zu %zu %zu %zu\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long),
           sizeof(long long), sizeof(void *));
    uc = 250;
    uc += 10;
    sc = (signed char)200;
    printf("%d %d\n", uc, sc);
    unsigned short us = 65535;
    us++;
    printf("%d\n", us);
    unsigned u = 0;
    u--;
    printf("%u %d\n", u, u == UINT_MAX);
    printf("%d %d\n", -1 < 1u, -1 < (long long)1);
    printf("%d %d %d %d\n", 7 / 2, -7 / 2, 7 % 3, -7 % 3);
    printf("%u %u\n", 7u / 2u, 4000000000u % 7u);
    printf("%d %d %u\n", 1 << 10, -16 >> 2, 0x80000000u >> 31);
    printf("%lld %llu\n", (long long)INT_MAX + 1, 18446744073709551615ULL);
    int64_t big = INT64_C(1) << 40;
    uint8_t narrow = (uint8_t)big;
    int32_t truncated = (int32_t)(big + 5);
    printf("%lld %d %d\n", (long long)big, narrow, truncated);
    int a = 5, b = 3;
    printf("%d %d %d %d\n", a & b, a | b, a ^ b, ~a);
    printf("%d %d %d\n", !a, !!a, !0);
    char c = 'a';
    c += 1;
    printf("%c %d %d\n", c, c, 'A' + 1);
    _Bool flag = 42;
    flag = flag + flag;
    printf("%d %zu\n", flag, sizeof flag);
    long double ld = 1.5L;
    printf("%d\n", (int)(ld * 4));
    unsigned long long product = 0xffffffffULL * 0xffffffffULL;
    printf("%llx\n", product);
    printf("%d %d\n", (signed char)0xff == -1, (unsigned char)0xff == 255);
    int i = -5;
    unsigned long wide = (unsigned long)i;
    printf("%lu\n", wide);
    short s = -3;
    printf("%d %u\n", s * s, (unsigned)(unsigned short)s);
    __int128 huge = (__int128)INT64_MAX * 4;
    printf("%lld %lld\n", (long long)(huge >> 32), (long long)(huge % 1000));
    return 0;
}
