// Conversions, promotions, bit-fields, operators, literals, GNU's extensions.
#include <cstdio>
#include <cstdint>
#include <climits>
#include <cmath>
#include <cstring>
#include <limits>
enum E : short { neg = -1, big = 30000 };
enum class S : uint8_t { a = 200, b };
struct Bits {
    unsigned a : 3;
    int b : 5;
    unsigned long long c : 40;
    bool d : 1;
    E e : 16;
    signed char f : 4;
};
struct Packed {
    char c;
    int i;
}
__attribute__((packed));
union V {
    double d;
    uint64_t u;
    struct {
        uint32_t lo, hi;
    };
    unsigned char by[8];
};
template <class A, class B> auto add(A a, B b) {
    return a + b;
}
int f(int) {
    return 1;
}
int f(long) {
    return 2;
}
int f(double) {
    return 3;
}
int f(unsigned) {
    return 4;
}
int f(char) {
    return 5;
}
int f(bool) {
    return 6;
}
int f(const char*) {
    return 7;
}
int f(...) {
    return 8;
}
int f(long long) {
    return 9;
}
int f(float) {
    return 10;
}
int f(short) {
    return 11;
}
int side(int& x) {
    return x++;
}
int main() {
    unsigned char uc = 250;
    signed char sc = -3;
    short sh = -32768;
    unsigned short us = 65535;
    int i = INT_MAX;
    unsigned u = UINT_MAX;
    long l = LONG_MIN;
    float fl = 16777217.0f;
    double d = 1e308;
    printf("%d %d %d %d\n", uc + 10, (unsigned char)(uc + 10), sc * sc, us * 2);
    uc += 10;
    printf("%d ", uc);
    uc--;
    uc <<= 1;
    printf("%d ", uc);
    sc >>= 1;
    printf("%d ", sc);
    us = ~us;
    printf("%d ", us);
    sh = -sh;
    printf("%d\n", sh);
    printf("%u %u %d\n", u + 2, (unsigned)-5 / 2, -5 / 2);
    printf("%d %d %d %d\n", -7 % 3, 7 % -3, -7 >> 1, (unsigned)-7 >> 28);
    printf("%d %d\n", u > -1, (int)u < 0);
    printf("%ld %lu\n", l, (unsigned long)l >> 3);
    printf("%d %d\n", sizeof(int) > -1, -1 < 1u);
    printf("%.1f %d %d %u\n", fl, (int)3.99, (int)-3.99, (unsigned)3e9);
    printf("%g %g %d\n", d * 10, -d * 10, std::isnan(d * 10 - d * 10));
    printf("%d %d %d\n", 0.1 + 0.2 == 0.3, 0.1f + 0.2f == 0.3f, (float)0.1 == 0.1);
    printf("%.17g %.9g\n", 0.1 + 0.2, 0.1f + 0.2f);
    printf("%lld %lld\n", (long long)1e18, llround(2.5));
    printf("%d%d%d%d%d%d%d%d%d%d\n", f(uc), f(sh), f('a'), f(1u), f(1L), f(1.0f), f(nullptr == 0), f("s"), f(1LL), f(true));
    printf("%d %d\n", f(u + l), f(S::a == S::b));
    Bits b{};
    b.a = 9;
    b.b = 17;
    b.c = ~0ULL;
    b.d = 2;
    b.e = neg;
    b.f = 9;
    printf("%u %d %llu %d %d %d %zu\n", b.a, b.b, (unsigned long long)b.c, b.d, b.e, b.f, sizeof b);
    b.a++;
    b.b -= 3;
    b.c >>= 4;
    printf("%u %d %llu %d\n", b.a, b.b, (unsigned long long)b.c, b.a * -1 < 0);
    Packed p{1, 0x01020304};
    printf("%zu %x\n", sizeof p, p.i);
    V v;
    v.d = -1.5;
    printf("%llx %x %x %d\n", (unsigned long long)v.u, v.hi, v.lo, v.by[7]);
    printf("%d %d\n", (int)S::b, big * 2);
    auto x = add(1, 2.5f);
    auto y = add('a', 1);
    auto z = add(1u, -2);
    printf("%g %d %u %zu\n", x, y, z, sizeof(add(1, 2LL)));
    int a = 5;
    int r = a++ + 10;
    printf("%d %d\n", a, r);
    printf("%d\n", a);
    a = 3;
    int arr[] = {1, 2, 3, 4, 5};
    int* q = arr;
    printf("%d ", *q++);
    printf("%d ", *++q);
    printf("%d ", (*q)++);
    printf("%d %d\n", arr[2], 2[arr]);
    q = arr + 4;
    printf("%td %d\n", q - arr, q[-1]);
    int k = 0;
    printf("%d\n", side(k) + 100);
    printf("%d %d %d\n", 1 << 4 | 3 & 2 ^ 1, !5 + ~5, 5 & 3 == 3);
    printf("%d\n", a > 2 ? a > 100 ? 1 : 2 : 3);
    printf("%d %d\n", 'a' < 'b' && 1 || 0, (1, 2, 3));
    bool bb = 5;
    bb += 5;
    printf("%d %d\n", bb, !!0.5);
    char c = 'z' + 1;
    printf("%c %d %zu %zu\n", c, '\x7f', sizeof 'a', sizeof("ab" "cd"));
    printf("%s\n", "tri" "ple" "\101\x42");
    printf("%d %d\n", L'é', u'\u20ac');
    wchar_t w = L'Ω';
    printf("%d\n", (int)w);
    printf("%s\n", u8"é€😀");
    __int128 big1 = (__int128)1 << 100;
    printf("%llx %llx\n", (unsigned long long)(big1 >> 64), (unsigned long long)((big1 - 1) >> 3));
    unsigned __int128 bu = ~(unsigned __int128)0 / 10;
    printf("%llu\n", (unsigned long long)(bu % 1000000007));
    long double ld = 1.0L / 3;
    printf("%.21Lg %zu\n", ld, sizeof ld);
    printf("%.15g %.15g %.15g %.15g\n", sin(1e6), exp(10.5), pow(2.5, -3.5), log1p(1e-10));
    printf("%g %g %g\n", fmin(NAN, 1), remainder(7, 4), copysign(3, -0.0));
    printf("%a %a\n", 1.0 / 3, 0x1.fp-1030);
    int e;
    double fr = frexp(-0.3, &e);
    printf("%g %d\n", fr, e);
    printf("%d %d %d\n", __builtin_popcount(255), __builtin_clz(1), __builtin_ctzll(1ULL << 40));
    uint32_t bs = __builtin_bswap32(0x12345678);
    printf("%x %d\n", bs, __builtin_parity(7));
    int ov;
    bool bo = __builtin_add_overflow(INT_MAX, 1, &ov);
    printf("%d %d\n", bo, ov);
    printf("%d %d\n", std::numeric_limits<short>::digits10, (int)std::numeric_limits<char>::is_signed);
    char buf[8];
    memset(buf, 0xAB, 8);
    uint32_t word;
    memcpy(&word, buf + 1, 4);
    printf("%x\n", word);
    volatile int vol = 3;
    vol = vol + vol;
    printf("%d\n", vol);
    static_assert(sizeof(long) == 8);
    goto out;
    {
        int skip;
    }
    out: printf("%d\n", ({ int t = 4; t * t; }));
    int vla_n = 3;
    int vla[vla_n];
    for (int n = 0; n < vla_n; n++) vla[n] = n;
    printf("%zu %d\n", sizeof vla, vla[2]);
    switch (5) {
        case 1 ... 4: puts("low");
        break;
        case 5 ... 9: puts("mid");
    }
    void* lab = &&there;
    goto *lab;
    puts("not");
    there: puts("there");
    double mat[2][3] = {1, 2, 3, 4};
    printf("%g %g\n", mat[1][0], mat[1][2]);
    int des[5] = {[0] = 1};
    printf("%d\n", des[0] + des[4]);
    const char* names[] = {"zero", "one"};
    printf("%s %zu\n", names[1], sizeof names / sizeof *names);
    return 0;
}
