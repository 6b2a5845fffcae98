// Default arguments, conversions, overloads, specialisations, aligned memory.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#include <map>
#include <set>
#include <complex>
#include <iterator>
struct Big { alignas(64) double d[9]; static int n; Big() { ++n; } ~Big() { --n; } }; int Big::n;
int defv = 4; int side() { return ++defv; }
struct Def { int a, b; std::string s; Def(int a = side(), int b = 6, std::string s = std::string(3, 'x')) : a(a), b(b), s(std::move(s)) {} int m(int k = 7, const std::vector<int>& v = {1, 2, 3}) const { return k + int(v.size()) + a; } template <class T> T t(T x = T(5), std::size_t n = sizeof(T)) { return x + T(n); } };
template <class T, class C = std::less<T>> struct Sorted { std::vector<T> v; C c; Sorted(std::initializer_list<T> l, C c = C()) : v(l), c(c) { std::sort(v.begin(), v.end(), this->c); } T top(int k = 0) const { return v[k]; } };
struct Conv { int v; operator int() const { return v; } explicit operator std::string() const { return std::to_string(v); } operator const char*() const = delete; template <class T, class = std::enable_if_t<std::is_floating_point_v<T>>> operator T() const { return T(v) / 2; } }; struct From { int k; From(Conv c) : k(c.v * 3) {} From(std::nullptr_t) : k(-1) {} };
int ovl(int) { return 1; } int ovl(long) { return 2; } int ovl(double) { return 3; } int ovl(const char*) { return 4; } int ovl(std::string) { return 5; } int ovl(...) { return 6; } template <class T> int ovl(T*) { return 7; } int ovl(bool) { return 8; } int ovl(std::nullptr_t) { return 9; } int ref(int&) { return 1; } int ref(const int&) { return 2; } int ref(int&&) { return 3; }
template <class T> int fwd(T&& t) { return ref(std::forward<T>(t)); }
template <class T> struct Sp { static const char* n() { return "primary"; } }; template <class T> struct Sp<T*> { static const char* n() { return "ptr"; } }; template <class T, std::size_t N> struct Sp<T[N]> { static const char* n() { return "arr"; } }; template <class R, class... A> struct Sp<R(A...)> { static const char* n() { return "fn"; } }; template <> struct Sp<int> { static const char* n() { return "int"; } }; template <class T> struct Sp<std::vector<T>> { static const char* n() { return "vec"; } }; template <template <class> class X, class T> struct Sp<X<T>> { static const char* n() { return "tmpl"; } };
template <int N> struct Fact { enum { v = N * Fact<N - 1>::v }; }; template <> struct Fact<0> { enum { v = 1 }; };
template <class... T> struct Tup {}; template <class H, class... T> struct Tup<H, T...> : Tup<T...> { H h; Tup(H h, T... t) : Tup<T...>(t...), h(h) {} template <int I> auto& get() { if constexpr (I == 0) return h; else return static_cast<Tup<T...>&>(*this).template get<I - 1>(); } };
template <class F, class Tp, std::size_t... I> decltype(auto) app(F&& f, Tp&& t, std::index_sequence<I...>) { return f(std::get<I>(std::forward<Tp>(t))...); }
struct Vis { template <class T> void operator()(const T& t) const { std::printf("%zu ", sizeof(t)); } void operator()(const std::string& s) const { std::printf("[%s] ", s.c_str()); } };
struct Outer { int v = 2; struct Inner { Outer& o; int get() { return o.v * 10; } }; Inner in{*this}; class Priv { friend struct Outer; int p = 6; }; int priv() { return Priv().p; } struct Fwd; Fwd* f = nullptr; }; struct Outer::Fwd { int z = 8; };
enum Color : short { red = -1, green, blue = green + 5 }; namespace ns { enum class Flag : uint8_t { a = 1, b = 2 }; constexpr Flag operator|(Flag x, Flag y) { return Flag(uint8_t(x) | uint8_t(y)); } struct Z { int q; }; void swap(Z& a, Z& b) { std::swap(a.q, b.q); std::printf("adl "); } }
int main() {
  auto* p = new (std::align_val_t{128}) char[100]; std::printf("%d ", int(reinterpret_cast<std::uintptr_t>(p) % 128)); ::operator delete[](p, std::align_val_t{128}); auto* q = new (std::nothrow) Big[3]; std::printf("%d %d ", Big::n, int(reinterpret_cast<std::uintptr_t>(q) % 64)); delete[] q; std::printf("%d\n", Big::n); std::unique_ptr<Big[]> ub(new Big[2]); std::vector<Big> vb(2); std::printf("%d %d\n", Big::n, int(reinterpret_cast<std::uintptr_t>(&vb[1]) % 64));
  Def d; Def e(1), f{1, 2}; std::printf("%d %d %s %d %d %d %g\n", d.a, d.b, f.s.c_str(), e.b, d.m(), d.m(1, {}), d.t(1.5)); Sorted<int> s{3, 1, 2}; Sorted<int, std::greater<>> g{3, 1, 2}; std::printf("%d %d %d\n", s.top(), g.top(), g.top(2));
  Conv c{7}; int i = c; double dd = c; From fr = c; std::string str(c); float ff = static_cast<float>(c); std::printf("%d %g %d %s %g %d\n", i, dd, fr.k, str.c_str(), ff, int(c) + 1); From fn = nullptr; std::printf("%d\n", fn.k);
  short sh = 1; const char* cs = "x"; int arr[3] = {1, 2, 3}; std::printf("%d%d%d%d%d%d%d%d%d%d\n", ovl(sh), ovl(1L), ovl(1.f), ovl(cs), ovl(str), ovl(arr), ovl(true), ovl(nullptr), ovl('c'), ovl(red)); const int ci = 1; std::printf("%d%d%d%d\n", fwd(i), fwd(ci), fwd(5), fwd(std::move(i)));
  std::printf("%s %s %s %s %s %s %s %d\n", Sp<char>::n(), Sp<char*>::n(), Sp<char[4]>::n(), Sp<int(char)>::n(), Sp<int>::n(), Sp<std::vector<int>>::n(), Sp<std::allocator<int>>::n(), int(Fact<6>::v)); Tup<int, double, std::string> t(1, 2.5, "z"); t.get<1>() *= 2; std::printf("%d %g %s\n", t.get<0>(), t.get<1>(), t.get<2>().c_str());
  std::printf("%d\n", app([](auto... x) { return (0 + ... + int(x)); }, std::make_tuple(1, 2.9, 'a'), std::make_index_sequence<3>{})); std::apply([](auto&&... x) { (Vis{}(x), ...); }, std::make_tuple(1, std::string("s"), 'c')); std::printf("\n"); Outer o; Outer::Fwd fw; o.f = &fw; std::printf("%d %d %d %d\n", o.in.get(), o.priv(), o.f->z, int(blue));
  std::printf("%d %zu\n", int(ns::Flag::a | ns::Flag::b), sizeof(Color)); ns::Z z1{1}, z2{2}; using std::swap; swap(z1, z2); swap(i, defv); std::printf("%d\n", z1.q); std::complex<double> w(1, 2); w *= std::complex<double>(0, 1); std::printf("%g %g %g\n", w.real(), w.imag(), std::abs(w));
  std::multimap<int, std::string> mm{{1, "a"}, {1, "b"}, {0, "c"}}; auto [lo, hi] = mm.equal_range(1); for (auto it = lo; it != hi; ++it) std::printf("%s ", it->second.c_str()); std::set<std::pair<int, int>, std::greater<>> sp{{1, 2}, {3, 4}}; std::printf("%d\n", sp.begin()->second); std::vector<int> v(5); std::iota(v.rbegin(), v.rend(), 1); std::rotate(v.begin(), v.begin() + 2, v.end()); for (int x : v) std::printf("%d ", x); std::printf("%zu\n", v.size());
  int n = 0; for (n = 0;;) { if (++n > 3) break; } for (;; n++) { if (n > 6) break; } for (; n < 9;) n++; do { if (n == 9) continue; } while (n++ < 11); std::printf("%d\n", n); int x = 5; x += x++ * 0 + 1; (x > 3 ? x : n) = 50; std::printf("%d %d\n", x, n);
}
