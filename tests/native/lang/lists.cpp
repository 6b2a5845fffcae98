// Lists of objects: copies, moves and conversions of each element, nested aggregates, designators of bases.
#include <cstdio>
#include <initializer_list>
#include <utility>

struct Tracked {
    int n;
    Tracked(int i) : n(i) { std::printf("+%d ", n); }
    Tracked(const Tracked& o) : n(o.n + 1) { std::printf("c%d ", n); }
    Tracked(Tracked&& o) noexcept : n(o.n + 10) { o.n = -1; std::printf("m%d ", n); }
    ~Tracked() { std::printf("-%d ", n); }
};

struct Base { Tracked t; };
struct Derived : Base { Tracked u; int k; };
struct Nested { Derived d[2]; Tracked last; };
struct Child : Tracked {
    Child(int i) : Tracked(i) {}
};

Tracked make(int i) { return i; }
Tracked& same(Tracked& t) { return t; }
Tracked&& give(Tracked& t) { return std::move(t); }

int main()
{
    Tracked a(1), b(2);
    {
        Tracked list[] = {a, b, std::move(a), make(5), same(b), give(b), 7, Tracked(8), static_cast<Tracked>(9)};
        std::puts("");
        for (auto& t : list) std::printf("%d,", t.n);
        std::puts("");
    }
    std::puts("");
    {
        Derived d{{a}, b, 3};
        Derived e = {{4}, 5, 6};
        Base base{d};
        std::printf("%d %d %d %d\n", d.t.n, e.u.n, base.t.n, d.k);
        Nested n{{d, std::move(e)}, 77};
        Nested m = n;
        std::printf("%d %d %d %d\n", n.d[0].t.n, m.d[1].u.n, e.t.n, m.last.n);
    }
    std::puts("");
    {
        Child c(20);
        Tracked sliced[2] = {c, std::move(c)};
        std::printf("%d %d\n", sliced[0].n, sliced[1].n);
    }
    std::puts("");
    {
        struct Many {
            int sum = 0, how;
            Many(std::initializer_list<int> l) : how(1) { for (int i : l) sum += i; }
            Many(int a, int b) : sum(a * b), how(2) {}
            Many(const char* text) : how(3) { while (text[sum]) sum++; }
            Many(double d, const Tracked& t) : sum((int)(d * t.n)), how(4) {}
        };
        struct Outer { Many a, b; };
        Many many[] = {{1, 2, 3}, Many(4, 5), "four", {2.5, {4}}, {}};
        for (auto& m : many) std::printf("%d %d, ", m.sum, m.how);
        Outer o{{7, 8}, "x"};
        std::printf("%d %d\n", o.a.sum, o.b.how);
    }
    return 0;
}
