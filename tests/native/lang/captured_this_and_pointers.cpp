// Pointers of the class's own type beside `this`, and types behind the list of captures.
int sw(int w) { int a = 2, b = 5; auto l = [=](int q, int p = sizeof(w)) noexcept(sizeof(a) == 4) -> decltype(a) { return b + w; }; auto m = [=](char (*k)[sizeof(a)]) { return b; }; return l(1); }
#include <cstdio>
struct S { int v = 3; int f(S *p) { S o; S *a = &o; o.v = 70; auto l = [=]() -> decltype(p) { return this; }; auto m = [=] { return p->v * 100 + v * 10 + a->v; }; auto n = [=] { return v + a->v; }; auto k = [/* = */ = ] { return a->v - v; }; auto e = [=, w = p](int z) { return a->v + w->v + v + z; }; return l()->v + m() + n() + k() + e(1); } };
int swi() { int a = 2, b = 5; auto l = [=] { int z = b; switch (a) { case 1: return z; case 2: { int a = 50; return a + z; } default: return 0; } }; return l(); }
int main() { S s, t; t.v = 5; printf("%d %d %d\n", s.f(&t), sw(1), swi()); }
