// Objects in lists that become numbers and pointers by conversion functions, and constructors that are explicit.
#include <atomic>
#include <cstdio>
#include <initializer_list>
#include <map>
#include <vector>

struct Number {
    int v;
    operator int() const { return v; }
};
struct Twofold {
    operator float() const { puts("to float"); return 1.5f; }
    operator long() const { puts("to long"); return 2; }
    explicit operator int() const { puts("to int"); return 3; }
    explicit operator bool() const { puts("to bool"); return true; }
};
struct Qualified {
    int v = 5;
    operator int() { puts("plain"); return v; }
    operator int() const { puts("const"); return v + 1; }
    operator int() volatile { puts("volatile"); return v + 2; }
    operator const int *() & { puts("lvalue"); return &v; }
    operator const int *() && { puts("about to end"); return nullptr; }
};
struct Referring {
    long v = 40;
    operator long &() { return v; }
};
struct First { int a = 1; operator int() const { return a; } operator char() const { return 'f'; } };
struct Second { int b = 2; };
struct Both : Second, First { operator char() const { return 'b'; } };
struct Deep : virtual Both {};
template <class T> struct Wrapped {
    T v;
    operator T() const { return v; }
};
struct Temporary {
    int v;
    Temporary(int v) : v(v) { printf("made %d\n", v); }
    Temporary(const Temporary &o) : v(o.v) { printf("copied %d\n", v); }
    ~Temporary() { printf("gone %d\n", v); }
    operator int() const { return v; }
};
struct Inner { int a; };
struct Outer { Inner i; long b; double c; };
struct Chosen {
    int made;
    explicit Chosen(int) : made(1) {}
    Chosen(long) : made(2) {}
    explicit Chosen(int, int) : made(3) {}
    Chosen(long, long) : made(4) {}
    Chosen(const Chosen &) = default;
};
struct Pair { Chosen s; Chosen t; };

static int twice(int x) { return 2 * x; }
static double twice(double x) { return 2.5 * x; }
static int twice(int x, int y) { return 2 * x * y; }
struct Functions {
    double (*d)(double);
    int (*i)(int);
    int (*two)(int, int);
};

static int sum(std::initializer_list<int> list)
{
    int n = 0;
    for (int i : list)
        n = n * 10 + i;
    return n;
}
static long brace(const Number &n) { return {n}; }
static const Number kept{8};
static int table[] = {kept, Number{9}};

int main()
{
    Number one{1}, two{2};
    int list[] = {one, two, Number{3}, one + two};
    printf("%d %d %d %d %d\n", list[0], list[1], list[2], list[3], table[0] * 10 + table[1]);
    Twofold t;
    float f[] = {t};
    long l[] = {t};
    printf("%g %ld\n", f[0], l[0]);
    Qualified q;
    const Qualified c;
    volatile Qualified v;
    int by[] = {q, c, v, Qualified()};
    const int *to[] = {q, Qualified()};
    printf("%d %d %d %d %d %d\n", by[0], by[1], by[2], by[3], *to[0], to[1] == nullptr);
    Referring r;
    long rs[] = {r};
    int narrow[2] = {Both(), Deep()};
    char chars[] = {First(), Both(), Deep()};
    printf("%ld %d %d %c%c%c\n", rs[0], narrow[0], narrow[1], chars[0], chars[1], chars[2]);
    Wrapped<double> w{2.5};
    double ds[] = {w, Wrapped<double>{3.5}};
    std::atomic<int> a(7);
    int as[] = {a, a};
    printf("%g %g %d\n", ds[0], ds[1], as[1]);
    int ts[] = {Temporary(1), Temporary(2)};
    printf("%d %d\n", ts[0], ts[1]);
    Outer o = {one, two, w}, p = {{two}, one, t};
    printf("%d %ld %g %d %ld %g\n", o.i.a, o.b, o.c, p.i.a, p.b, p.c);
    Functions functions{twice, &twice, (twice)};
    static const Functions kept_functions[] = {{twice, twice, &twice}};
    int (*of_ints[])(int) = {twice, &twice};
    printf("%g %d %d %g %d %d\n", functions.d(1), functions.i(1), functions.two(1, 3), kept_functions[0].d(2),
        kept_functions[0].two(3, 4), of_ints[1](5));
    int braced{one};
    int *news = new int[2]{one, two};
    std::vector<int> vector{one, two};
    std::map<int, int> map{{one, two}};
    printf("%d %d %d %d %d %ld\n", braced, news[1], vector[1], map[1], sum({one, two, 3}), brace(two));
    delete[] news;
    Chosen all[] = {3, 3L, {3L, 4L}};
    Pair pair = {3, 4};
    Chosen direct(3), braces{3}, copy = 3;
    Chosen *several = new Chosen[2]{3, 4};
    std::vector<Chosen> made;
    made.push_back(3);
    made.emplace_back(3);
    printf("%d %d %d %d %d %d %d %d %d %d %d\n", all[0].made, all[1].made, all[2].made, pair.s.made, pair.t.made, direct.made,
        braces.made, copy.made, several[1].made, made[0].made, made[1].made);
    delete[] several;
    return 0;
}
