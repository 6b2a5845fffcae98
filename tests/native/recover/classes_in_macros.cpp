// Classes, specialisations, arguments and closures that a macro makes.
#include <cstdio>
#include <cstdarg>
#include <initializer_list>
#include <array>
#define SPEC template <class T> int f(T) { return 1; } template <> int f<int>(int) { return 2; } template <> int f<char>(char c) { return 3; }
SPEC
#define CLS struct C { int v; C() : v(7) { printf("C\n"); } C(const C &o) : v(o.v + 1) { printf("copy\n"); } C &operator=(const C &o) { v = o.v + 10; return *this; } ~C() { printf("~C %d\n", v); } }; struct H { C c; C d; };
CLS
#define INH struct B1 { int x; B1(int a) : x(a) {} B1(double d) : x(100) {} B1() : x(1) {} }; struct B2 { int y; B2(const char *) : y(5) {} B2() : y(2) {} }; struct D : B1, B2 { int z = 9; using B1::B1; using B2::B2; D(long, long) : z(3) {} };
INH
#define FLD struct F { int a[3] = {1, 2, 3}; int b = 4; int c : 3 = 2; int d : 4; std::array<int, 5> e; decltype(sizeof(int[7])) g; alignas(16) int h; std::array<int, 2> i{8, 9}; int j[2][3]; int k = sizeof(int[6]); };
FLD
#define VA int va(int n, ...) { va_list ap; va_start(ap, n); int *p = va_arg(ap, int *); bool b = va_arg(ap, int) != 0; char *q = va_arg(ap, char *); va_end(ap); return *p + b * 10 + *q; }
VA
#define LAM int lam() { int x = 3; int y = 5; auto l = [x, &y, z = x + y]() mutable { int w = x++; y += w; auto m = [=]() mutable { int x2 = x; { int x = 100; x2 += x; } return x2 + w + z; }; return m() + x; }; int a = l(); int b = l(); return a * 1000 + b * 10 + y; }
LAM
#define DERIV struct V { virtual int f() { return 1; } virtual ~V() {} }; struct W : V { int f() override { return 2; } W() {} W(int) {} };
DERIV
int main() {
  printf("%d %d %d\n", f(1), f('c'), f(2.0));
  { C a; C b = a; H h; H i = h; i = h; b = a; }
  D d(4), e(4.5), g("x"), h(1L, 2L); printf("%d %d %d; %d %d; %d %d %d\n", d.x, d.y, d.z, e.x, g.y, h.x, h.y, h.z);
  F z{}; printf("%d %d %d %d %d %d %d %d %d %d\n", z.a[2], z.b, z.c, z.d, z.e[4], (int)z.g, z.h, z.i[1], z.j[1][2], z.k);
  static F s; printf("%d %d %d %d %d %d %d %d %d %d\n", s.a[2], s.b, s.c, s.d, s.e[4], (int)s.g, s.h, s.i[1], s.j[1][2], s.k);
  int q = 4; char c = 7; printf("%d\n", va(1, &q, 1, &c));
  printf("%d\n", lam());
  V *v = new W(1); printf("%d\n", v->f()); delete v;
}
