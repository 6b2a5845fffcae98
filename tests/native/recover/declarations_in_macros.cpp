// Whole declarations in macros: all that they hold stands in one place for a reader, and each token has its own for the parser.
#include <cstdio>
#include <map>
#include <string>
#include <vector>
#include <memory>
#include <type_traits>
template <int N> struct Wrap { int v; Wrap() : v(N) {} Wrap(int x) : v(x + 100) {} operator int() const { return v; } };
struct P { template <int K> int get() const { return K + v; } template <class T> T as() const { return T(v); } int v = 1; };
int effects = 0;
int effect() { effects++; return 3; }
#define CLS struct C { Wrap<5> a; Wrap<6> b = 3; alignas(Wrap<3>) char c; int (*f)(int) = nullptr; decltype(effect()) d; int e[sizeof(Wrap<2>)]; P p{}; union { int u; float w = 1.5f; }; unsigned g : sizeof(int), h : 2 = 1; static int s; static constexpr int t = 4; \
 int sum() { P *q = &p; return q->get<7>() + p.get<2>() + q->template get<1>() + p.as<int>() + u + a; } };
CLS
#define STAT int C::s = effect(); Wrap<8> w8; Wrap<9> w9 = 9; std::map<int, std::string> m = {{1, "a"}, {2, "b"}}; static std::vector<int> v{1, 2, 3}; std::vector<int> vv(3, 4);
STAT
#define FN template <class T> int fn(T t) { int r = 0; if constexpr (std::is_same<T, int>::value) r = 1; else r = 2; for (auto &x : v) r += x; for (int i = 0; int j = 2 - i; i++) r += j; switch (int q = r; q) { case 3: r = 9; default: ; } auto [a, b] = std::pair<int, T>(1, t); r += a + b; if (auto p = std::make_unique<int>(5); *p) r += *p; while (int z = r > 30) r -= z; static int st = effect(); return r + st; }
FN
#define TRAITS bool traits() { return __is_same(decltype(effect()), int) && std::is_constructible<C>::value && !__is_trivially_constructible(P) && noexcept(1 + 1) && !noexcept(effect()) && sizeof(effect()) == 4 && __is_constructible(Wrap<2>, int); }
TRAITS
#define VIRT struct Base { virtual int f(int a = 1, int b = effect()) { return a + b; } Base() = default; Base(const Base &) = default; virtual ~Base() = default; }; struct Der final : Base { using Base::Base; int f(int a, int b) override { return a * b; } Der &operator=(const Der &) = delete; }; struct Pod { int i; char c; }; struct Tail : Pod { char d; }; struct NonPod { NonPod() {} int i; char c; }; struct Tail2 : NonPod { char d; };
VIRT
#define NEW int news() { int *a = new int[3]{1, 2, 3}; auto *p = new Wrap<4>[2]; auto *q = ::new Wrap<4>(1); auto *r = new (q) Wrap<4>; int s = a[2] + p[1].v + r->v; delete[] a; delete[] p; ::delete q; return s; }
NEW
#define EXC int exc(int k) { try { if (k == 1) throw 1; if (k == 2) throw Wrap<1>(2); throw "x"; } catch (int i) { return i; } catch (const Wrap<1> &w) { return w.v; } catch (...) { return -1; } return 0; }
EXC
#define LAMS auto gl = [n = 0](auto... x) mutable { n += (0 + ... + x); return n; }; int lams() { int a = 1, b = 2; auto f = [&, a](int c = 3) { b += a + c; return b; }; auto g = [=, &b, z = f]() mutable { return z(1) + b; }; return f() * 10000 + g() * 100 + gl(1, 2, 3) + gl(4) + [] { return 7; }(); }
LAMS
#define OPS struct O { int v; O operator+(O o) const { return {v + o.v}; } friend bool operator<(O a, O b) { return a.v < b.v; } O &operator++() { ++v; return *this; } O operator++(int) { O o = *this; v++; return o; } int operator()(int x) { return v * x; } int operator[](int x) { return v - x; } operator bool() const { return v; } O *operator->() { return this; } };
OPS
int main() {
  C c; printf("%d %d %d %d %g %d %d %d %d\n", c.a.v, c.b.v, (int)alignof(C), (int)sizeof(C), c.w, c.h, C::s, C::t, c.f == nullptr);
  c.u = 3; printf("%d %d\n", c.sum(), effects);
  printf("%d %d %s %d %d\n", w8.v, w9.v, m[2].c_str(), v[2], vv[1]);
  printf("%d %d %d\n", fn(1), fn('c'), fn(2));
  printf("%d\n", traits());
  Base b; Der d; Base *p = &d; Base e = b; printf("%d %d %d %d %d\n", b.f(), p->f(), e.f(2), (int)sizeof(Tail), (int)sizeof(Tail2));
  printf("%d %d %d %d %d\n", news(), exc(1), exc(2), exc(3), lams());
  O x{1}, y{2}; printf("%d %d\n", (x + y).v, x < y); ++x; x++; printf("%d %d %d\n", x.v, x(5) + x[1], x->v);
}
