// Bit-fields in classes: copies, assignments, neighbours in the same bytes, unnamed ones and those without bits.
#include <cstdio>

struct Counted {
    int n = 0;
    Counted() = default;
    Counted(const Counted& o) : n(o.n + 1) {}
    Counted& operator=(const Counted& o) { n = o.n + 100; return *this; }
};

#pragma pack(push, 1)
struct Packed {
    unsigned a : 24;
    unsigned b : 4;
    unsigned c : 18;
    signed : 0;
    signed d : 7;
    Packed& operator=(const Packed& o) { a = o.a; b = o.b; c = o.c; return *this; }
};
#pragma pack(pop)

struct Mixed {
    Counted k;
    unsigned char low : 3, : 2, high : 3;
    long long wide : 41;
    bool flag : 1;
    enum Color : unsigned { red, green, blue } color : 2;
};

#pragma pack(push, 1)
struct Tight {
    char tag;
    double value;
    short pair[3];
    unsigned bits : 5;
    long long count;
    Tight& operator=(const Tight& o) { value = o.value; count = o.count; return *this; }
};
struct Around {
    char first;
    Tight inner;
};
#pragma pack(pop)

static void show(const Mixed& m)
{
    std::printf("%d %u %u %lld %d %d\n", m.k.n, m.low, m.high, (long long)m.wide, m.flag, (int)m.color);
}

static Packed by_value(Packed p) { p.b++; return p; }

int main()
{
    Packed p{};
    p.a = 0xabcdef; p.b = 9; p.c = 0x2ffff; p.d = -64;
    Packed q = by_value(p), r{};
    r.d = 5;
    r = q;
    std::printf("%x %u %x %d %zu\n", (unsigned)r.a, (unsigned)r.b, (unsigned)r.c, (int)r.d, sizeof(Packed));
    Mixed m;
    m.low = 5; m.high = 6; m.wide = -1099511627776LL; m.flag = true; m.color = Mixed::blue;
    Mixed n = m;
    show(n);
    Mixed many[3] = {m, n, m};
    many[1].wide += 1; many[1].low--; many[2].color = Mixed::red; many[0].flag = !many[0].flag;
    for (int i = 0; i < 3; i++) show(many[i]);
    struct Holder { Mixed inner[3]; } a, b;
    for (int i = 0; i < 3; i++) a.inner[i] = many[i];
    b = a;
    for (int i = 0; i < 3; i++) show(b.inner[i]);
    Tight t{'t', 2.5, {1, 2, 3}, 17, 1LL << 40}, u = t, v{};
    v = u;
    Around around{'a', u}, copy = around, other{};
    other = copy;
    std::printf("%c %g %d %u %lld %g %c %c %g\n", u.tag, v.value, u.pair[2], (unsigned)u.bits, copy.inner.count,
                other.inner.value, other.first, copy.inner.tag, copy.inner.value);
    m.wide <<= 1; m.high += 5; m.low ^= 7;
    show(m);
    return m.high;
}
