// Inherited constructors with defaults, templates, packs, virtual bases, overloads.
#include <cstdio>
#include <string>
#include <vector>
#include <stdexcept>
namespace a { struct Base { int k; Base(int k = 3, const char *s = "dflt") : k(k) { printf("a::Base %d %s\n", k, s); } template <class T> Base(T t, T u) : k(int(t + u)) { printf("a tmpl %d %d\n", k, (int)sizeof(T)); } explicit Base(std::vector<int> v) : k((int)v.size()) {} }; }
namespace b { struct Base : a::Base { using a::Base::Base; int own = 9; Base(double d) : a::Base(int(d)), own(1) {} }; struct Base2 : Base { using Base::Base; }; }
struct Mixed : b::Base, a::Base { using b::Base::Base; };
namespace e { struct Error : std::runtime_error { using std::runtime_error::runtime_error; }; struct runtime_error : std::runtime_error { using std::runtime_error::runtime_error; int code = 5; }; }
template <class... Bs> struct All : Bs... { using Bs::Bs...; };
struct P { int p = 0; P() = default; P(int k) : p(k) {} }; struct Q { int q = 0; Q() = default; Q(const char *s) : q(s[0]) {} };
template <class T> struct Wrap : T { using T::T; T *self() { return this; } };
struct VBase { int v; VBase(int k) : v(k) {} VBase() : v(-1) {} };
struct L : virtual VBase { using VBase::VBase; }; struct R : virtual VBase { using VBase::VBase; }; struct Dia : L, R { using L::L; };
int main() {
    b::Base x(4, "x"), y(2.5), z(1L, 2L); printf("%d %d %d %d %d %d\n", x.k, x.own, y.k, y.own, z.k, z.own);
    b::Base2 x2(5); printf("%d %d\n", x2.k, x2.own); b::Base2 y2(6.5); printf("%d %d\n", y2.k, y2.own);
    Mixed m(8, "m"); printf("%d %d %d\n", m.b::Base::k, (int)sizeof(m), m.own);
    try { throw e::Error("one"); } catch (std::runtime_error &r) { printf("%s\n", r.what()); }
    try { throw e::runtime_error("two"); } catch (e::runtime_error &r) { printf("%s %d\n", r.what(), r.code); }
    All<P, Q> pq(7), qq("z"); printf("%d %d %d %d\n", pq.p, pq.q, qq.p, qq.q);
    Wrap<P> w(3); printf("%d\n", w.self()->p); Wrap<b::Base> wb(1, "w"); printf("%d %d\n", wb.k, wb.own);
    Dia d(6); printf("%d\n", d.v); L l(7); printf("%d\n", l.v);
    std::vector<int> v{1, 2, 3}; b::Base bv(v); printf("%d\n", bv.k);
}
