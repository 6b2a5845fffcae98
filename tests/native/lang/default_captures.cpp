// What default captures take: order, constants, packs, bindings, members, and what is not evaluated.
#include <cstdio>
#include <string>
#include <functional>
#include <typeinfo>
const int G = 3; static int S = 4; thread_local int T = 5;
struct P { int x = 1; int y = 2; const int z = 6; static int st; int f() { int a = 10; const int c = 20; constexpr int d = 30; static int e = 40; const int nc = a + 1; const double dd = 2.5; constexpr double de = 3.5; int &r = a; int arr[3] = {1, 2, 3}; int *p = &a;
  auto l1 = [=] { return x + c + d + e + a; }; auto l2 = [=]() mutable { a++; r++; return nc + int(dd) + int(de) + arr[2] + *p + r; }; auto l3 = [&] { return sizeof(a) + sizeof(arr) + y + a; };
  auto l4 = [=] { return c + G + S + T; }; auto l5 = [=, *this] { return x + z + st; }; auto l6 = [&, x = a * 2] { return x + this->x; };
  auto l7 = [=](auto k) { return k + a; }; auto l8 = [=] { return [=] { return [=] { return x + a + dd; }(); }(); };
  auto l9 = [&] { auto in = [=]() mutable { a += 5; return a; }; int v = in(); a += 7; return v; };
  x = 100; int v1 = l1(), v2 = l2(), v3 = l3(), v4 = l4(), v5 = l5(), v6 = l6(), v7 = l7(1), v9 = l9(); printf("%d %d %d %d %d %d %d %g %d %d\n", v1, v2, v3, v4, v5, v6, v7, l8(), v9, a);
  printf("%zu %zu %zu %zu %zu %zu %zu\n", sizeof(l1), sizeof(l2), sizeof(l4), sizeof(l5), sizeof(l6), sizeof(l7), sizeof(l8)); return a; } };
int P::st = 7;
template <class... A> int pack(A... a) { auto l = [=] { return (a + ... + 0); }; auto m = [&] { return (0 + ... + a); }; auto k = [&a...] { int s = 0; ((s = s * 10 + a), ...); return s; }; auto i = [t = (a * ... * 1)] { return t; }; auto first = [=](auto f) { return f(a...); }; return l() + m() * 10 + k() * 100 + i() + first([](auto... x) { return (x + ... + 0); }); }
struct V { int a; int b; }; 
int binds() { V v{1, 2}; auto [p, q] = v; auto &[r, s] = v; int arr[2] = {5, 6}; auto [t, u] = arr; auto m = [r = r, s = s] { return r * 10 + s; }; s = 9; return m() + p + q + t + u + v.b; }
int order() { short a = 1; short b = 2; short c = 3; int d = 4; int e = 5; auto l = [=] { return (e * 1000 + b * 100) + (c * 10 + a) + d; }; auto m = [=, &c] { c = 8; return b - a; }; int k = m(); return l() + k + c; }
int cond(bool t) { int a = 1, b = 2, c = 3; auto l = [=] { if (t) return a; else if (a) return c; return b; }; auto m = [=] { return t ? b : decltype(a)(c); }; auto n = [=] { (void)sizeof(a); (void)noexcept(b); return c; }; return l() * 100 + m() * 10 + n(); }
auto rec() { std::function<int(int)> f = [&](int k) { return k ? k + f(k - 1) : 0; }; return f(4); }
int dflt() { int a = 5; auto l = [a](int k = 3, int j = sizeof(a)) { return a + k + j; }; return l() + l(1); }
int sw() { int a = 2, b = 5; auto l = [=] { int z = b; switch (a) { case 1: return z; case 2: { int a = 50; return a + z; } default: return 0; } }; return l(); }
int shadow() { int a = 1, b = 2; auto l = [=] { int c = a; { int a = 10; c += a; } for (int b = 0; b < 3; b++) c += b; auto in = [b](int a) { return a * b; }; return c + in(b); }; return l(); }
int stat() { static int k = 3; int z = 4; auto l = [=] { return k++ + z; }; l(); return l() + k; }
struct Q { int v = 3; auto get() { return [this] { return [this] { return v; }; }; } auto cp() { return [*this]() mutable { return ++v; }; } int mem(int v) { auto l = [=] { return v + this->v; }; return l(); } };
int main() { P p; printf("%d\n", p.f()); printf("%d %d %d\n", pack(1, 2, 3), pack(), pack(short(4), 5L)); printf("%d %d %d %d\n", binds(), order(), cond(true), cond(false)); printf("%d %d %d %d %d\n", rec(), dflt(), sw(), shadow(), stat()); Q q; auto g = q.get(); q.v = 9; auto c = q.cp(); c(); printf("%d %d %d %d\n", g()(), c(), q.v, q.mem(2)); 
 int i = 0; auto it = [i]() mutable { return ++i; }; auto it2 = it; it(); it(); printf("%d %d %d\n", it(), it2(), i); auto gen = [](auto... x) { return [=](auto... y) { return (x + ... + 0) * (y + ... + 0); }; }; printf("%d\n", gen(1, 2)(3, 4)); }
