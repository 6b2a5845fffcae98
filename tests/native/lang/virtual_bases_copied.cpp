// Objects with virtual bases that functions return, as bases and members of others.
#include <cstdio>
struct V { int v; V(int v = 1) : v(v) {} V(const V& o) : v(o.v + 100) { std::printf("copy\n"); } };
struct A : virtual V { int a = 3; A(int a) : V(2), a(a) {} A(const A& o) : V(o), a(o.a + 1) { std::printf("A copy\n"); } };
A make() { return A(5); }
struct D : A { D() : A(make()) {} };
struct E2 : A { E2(const D& d) : V(9), A(d) {} };
struct Agg { A a; int k; };
int main() { D d; std::printf("%d %d\n", d.a, d.v); E2 e(d); std::printf("%d %d\n", e.a, e.v); Agg g{A(3), 4}; Agg h = g; std::printf("%d %d\n", h.a.v, h.k); }
