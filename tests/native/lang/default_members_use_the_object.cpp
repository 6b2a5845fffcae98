// Default member initialisers that use the object, in lists: `this` is that object, not the one around.
#include <cstdio>
#include <string>
struct L { int a; int b = [&] { return a + 1; }(); int c = [this](int k) { return k + a + b; }(100); };
struct M { int a; unsigned b : 4 = 4; unsigned c : 8 = 6; std::string s = std::string(a, 'x'); };
struct N { int a = 3; int b = a * 2; struct In { int p; int q = p + 1; } in{a}; In in2 = {b, }; int arr[3] = {a, b, in.q}; int *self = &a; };
struct Base { int x = 4; int y = x + 1; }; struct D : Base { int z = y + x; int w; };
struct E { L l; int a = l.b; };
template <class T> struct G { T a; T b = a + a; G *me = this; };
L gl{7}; static N gn; const L cl{8}; L ga[2] = {{1}, {2, 5}}; constexpr G<int> cg{21};
L make(int k) { return {k}; }
struct U { int a = 1000; int t() { L l{1}; M m{3}; N n{}; N k{5}; D d{}; E e{{2}}; G<int> g{4}; auto *p = new L{9}; int r = p->c; delete p; L h = make(6); return l.b + l.c + m.b + m.c + (int)m.s.size() + n.in.q + n.in2.q + n.arr[2] + k.arr[1] + (n.self == &n.a) + d.z + e.a + g.b + (g.me == &g) + r + h.c + L{2}.c; } 
  int u() { auto f = [&] { L l{a}; return l.c; }; return f(); } };
int main() { U u; printf("%d %d\n", u.t(), u.u()); printf("%d %d %d %d %d %d %d\n", gl.c, gn.arr[2], cl.c, ga[0].c, ga[1].c, cg.b, gn.self == &gn.a);
 L l{1}; M m{3}; N n; N k{5, 6}; D d{}; D d2{{1}, 3}; E e{}; G<double> g{1.5}; printf("%d %d %d %d %d %d %d %d %d %g %d\n", l.c, m.b, m.c, n.arr[2], k.in2.q, d.z, d2.z, d2.w, e.a, g.b, g.me == &g); 
 L v[3] = {{1}, {2}}; printf("%d %d %d\n", v[0].c, v[1].c, v[2].c); auto *p = new L[2]{{4}, {5}}; printf("%d %d\n", p[0].c, p[1].c); delete[] p; }
