// Unions with members and constructors, scoped enumerations, overloaded operators of every kind, conversions.
#include <cstdio>
#include <cstring>
#include <new>

union Number {
    int i;
    float f;
    unsigned char bytes[4];
    Number() : i(0) {}
    explicit Number(float v) : f(v) {}
    unsigned top() const { return bytes[3]; }
};
struct Text {
    char* s;
    Text(const char* t) : s(new char[std::strlen(t) + 1]) { std::strcpy(s, t); }
    Text(const Text& o) : Text(o.s) {}
    ~Text() { delete[] s; }
    Text& operator=(const Text&) = delete;
};
struct Tagged {
    enum class Kind : unsigned char { none, number, text } kind = Kind::none;
    union {
        double number;
        Text text;
    };
    Tagged() {}
    Tagged(double d) : kind(Kind::number), number(d) {}
    Tagged(const char* t) : kind(Kind::text), text(t) {}
    Tagged(const Tagged& o) : kind(o.kind)
    {
        if (kind == Kind::number) number = o.number;
        if (kind == Kind::text) new (&text) Text(o.text);
    }
    ~Tagged() { if (kind == Kind::text) text.~Text(); }
    void show() const
    {
        switch (kind) {
        case Kind::none: std::printf("none "); break;
        case Kind::number: std::printf("%g ", number); break;
        case Kind::text: std::printf("%s ", text.s); break;
        }
    }
};
enum Flags : unsigned { none = 0, read = 1, write = 2, both = read | write };
constexpr Flags operator|(Flags a, Flags b) { return Flags(unsigned(a) | unsigned(b)); }
enum class Month { jan = 1, feb, mar = 10, apr };
Month& operator++(Month& m) { return m = Month(int(m) + 1); }

struct Big {
    int d[4] = {};
    Big(int n = 0) { d[0] = n; }
    int& operator[](int i) { return d[i]; }
    const int& operator[](int i) const { return d[i]; }
    Big& operator+=(const Big& o) { for (int i = 0; i < 4; i++) d[i] += o.d[i]; return *this; }
    friend Big operator+(Big a, const Big& b) { return a += b; }
    Big operator-() const { Big r; for (int i = 0; i < 4; i++) r.d[i] = -d[i]; return r; }
    Big& operator++() { d[0]++; return *this; }
    Big operator++(int) { Big old = *this; ++*this; return old; }
    bool operator==(const Big& o) const { return std::memcmp(d, o.d, sizeof d) == 0; }
    bool operator!() const { return *this == Big(); }
    explicit operator bool() const { return !!*this; }
    operator double() const { return d[0] + d[1] / 10.0; }
    int operator()(int a, int b) const { return d[a] * d[b]; }
    Big* operator->() { return this; }
    Big& operator,(const Big& o) { d[3] += o.d[0]; return *this; }
    Big& operator<<(int by) { for (int& x : d) x <<= by; return *this; }
    static void* operator new(std::size_t n) { std::printf("new %zu ", n); return ::operator new(n); }
    static void operator delete(void* p) { std::printf("delete "); ::operator delete(p); }
};
constexpr unsigned long long operator""_k(unsigned long long n) { return n * 1024; }
long double operator""_half(long double d) { return d / 2; }
unsigned operator""_len(const char*, std::size_t n) { return (unsigned)n; }

int main()
{
    Number n, m(1.5f);
    n.i = 0x40490fdb;
    std::printf("%g %u %x\n", n.f, m.top(), m.i);
    Tagged list[] = {1.25, "a text of some length", Tagged(), "b"};
    for (const Tagged& t : list) t.show();
    Tagged copy = list[1];
    copy.show();
    std::puts("");
    Flags f = read | write;
    Month month = Month::feb;
    ++month;
    std::printf("%d %d %d %d\n", f == both, (int)month, (int)Month::apr, (int)sizeof(Tagged::Kind));
    Big a(3), b;
    b[1] = 5;
    Big c = a + b + Big(4);
    const int before = (c++)[0], product = (++c)(0, 1);
    std::printf("%d %d %g %d %d\n", c[0], before, (double)c, product, !b);
    if (a && !Big()) std::printf("%d ", a->d[0]);
    (a, Big(7), Big(2)) << 1;
    std::printf("%d %d %d\n", a[0], a[3], (-a)[3]);
    Big* p = new Big(9);
    std::printf("%d ", (*p)[0]);
    delete p;
    std::printf("%llu %Lg %u\n", 3_k, 5.0_half, "four"_len);
    int Big::*none_of = nullptr;
    double (Big::*convert)() const = &Big::operator double;
    std::printf("%d %g\n", none_of == nullptr, (c.*convert)());
    return 0;
}
