// std: c++20
// Default member initialisers that use the object, beside designators.
#include <cstdio>
struct L { int a; int b = a + 1; int c = [&] { return a + b; }(); };
struct O { int a = 900; int f() { L y{.a = 6, .c = 2}; L z{.a = a}; auto *p = new L{.a = 7}; int r = p->c; delete p; return y.b * 10 + z.c + r; } };
int main() { O o; printf("%d\n", o.f()); L y{.a = 6}; printf("%d\n", y.c); }
