// std: c++20
// unions, goto, switch, statics, inline variables, CTAD, designated initialisers, concepts, spaceship
#include <compare>
#include <concepts>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <utility>
#include <vector>
struct T { int n; T(int n) : n(n) { std::printf("+%d ", n); } T(const T& o) : n(o.n + 10) { std::printf("c%d ", n); } ~T() { std::printf("-%d ", n); } };
#define NL std::printf("\n")
union U { int i; std::string s; std::vector<int> v; U() : i(3) {} U(const char* c) : s(c) {} ~U() {} };
struct Tagged { enum { I, S } tag = I; union { int i; std::string s; }; Tagged() : i(0) {} Tagged(std::string x) : tag(S), s(std::move(x)) {} Tagged(const Tagged& o) : tag(o.tag) { if (tag == S) new (&s) std::string(o.s); else i = o.i; } Tagged& operator=(Tagged o) { reset(); tag = o.tag; if (tag == S) new (&s) std::string(std::move(o.s)); else i = o.i; return *this; } void reset() { if (tag == S) s.~basic_string(); tag = I; } ~Tagged() { reset(); } };
struct Pt { int x = 1, y = 2; struct { int a, b; } in{3, 4}; double z = 0.5; };
struct Flex { union { struct { unsigned char r, g, b, a; }; unsigned rgba; }; };
int go(int n) { int i = 0; T outer(1); again: { T t(2 + i); if (n == 1) goto end; if (i++ < n) goto again; } if (n == 5) { T x(50); goto end; } std::printf("mid "); end: std::printf("end "); return i; }
int sw(int n) { switch (n) { case 1: { T a(1); [[fallthrough]]; } case 2: std::printf("two "); break; case 3 ... 5: { T b(3); return 9; } default: if (n > 7) { case 7: std::printf("seven "); } else { T c(4); break; } } return n; }
int duff(const char* s, int n) { int sum = 0; int k = (n + 3) / 4; switch (n % 4) { case 0: do { sum += *s++; case 3: sum += *s++; case 2: sum += *s++; case 1: sum += *s++; } while (--k > 0); } return sum; }
inline int iv = 5; struct Si { static inline std::vector<int> v{1, 2, 3}; static constexpr int k = 4; inline static int cnt = iv + 1; static const char* const names[]; }; const char* const Si::names[] = {"a", "b"};
template <class A, class B> struct Pair { A a; B b; Pair(A a, B b) : a(a), b(b) {} template <class It> Pair(It i, It e, int) : a(*i), b(*(e - 1)) {} }; template <class It> Pair(It, It, int) -> Pair<typename std::iterator_traits<It>::value_type, long>;
template <class X> struct Wrap { X x; }; template <class X> Wrap(X) -> Wrap<X>; Wrap(const char*) -> Wrap<std::string>; template <class... X> struct Inh : X... {}; template <class... X> Inh(X...) -> Inh<X...>;
template <class X> concept Num = std::integral<X> || std::floating_point<X>; template <class X> concept Has = requires(X x) { { x.size() } -> std::convertible_to<std::size_t>; typename X::value_type; requires sizeof(X) > 1; };
template <Num X> auto what(X x) { return "num"; } template <Has X> auto what(const X&) { return "has"; } template <class X> auto what(const X&) requires(!Num<X> && !Has<X>) { return "other"; } auto ab(std::signed_integral auto x) { return x < 0 ? -x : x; }
struct V3 { int x, y; std::string s; auto operator<=>(const V3&) const = default; }; struct Ord { int k; std::weak_ordering operator<=>(const Ord& o) const { return k / 10 <=> o.k / 10; } bool operator==(const Ord& o) const { return k / 10 == o.k / 10; } }; struct Der : V3 { double d; friend auto operator<=>(const Der&, const Der&) = default; };
enum class E : unsigned char { A = 1, B = 200, C }; enum F { f0, f1 = 10, f2 }; constexpr E operator|(E a, E b) { return E(unsigned(a) | unsigned(b)); }
consteval int cube(int n) { return n * n * n; } constinit int ci = cube(3); constexpr int fibc(int n) { int a = 0, b = 1; while (n--) { int t = a + b; a = b; b = t; } return a; } static_assert(fibc(10) == 55);
struct Bf { unsigned a : 3 = 5; int b : 4 {-2}; bool c : 1; unsigned long d : 40; };
int stat(int n) { static T t(n * 100); static int k = [] { std::printf("once "); return 7; }(); return t.n + k++; }
namespace A { inline namespace v1 { struct X { friend int adl(X) { return 1; } }; } namespace { int hid = 3; } } namespace Al = A::v1; using A::hid;
int main() {
  { U u; u.i = 4; u.~U(); new (&u) U("str"); std::printf("%s ", u.s.c_str()); u.s.~basic_string(); new (&u.v) std::vector<int>{1, 2}; std::printf("%zu", u.v.size()); u.v.~vector(); } NL;
  { Tagged a, b(std::string(40, 'x')), c = b; a = c; b = Tagged(); std::printf("%zu %d %d", a.s.size(), b.tag, c.tag); } NL;
  { Pt p{.y = 7, .in = {.b = 9}, .z = 1.5}; std::printf("%d %d %d %d %g ", p.x, p.y, p.in.a, p.in.b, p.z); Flex f{{{.r = 1, .g = 2, .b = 3, .a = 4}}}; std::printf("%x", f.rgba); } NL;
  std::printf("%d ", go(0)); NL; std::printf("%d ", go(1)); NL; std::printf("%d ", go(5)); NL; for (int i = 0; i < 10; ++i) std::printf("%d|", sw(i)); NL; std::printf("%d", duff("abcdefg", 7)); NL;
  std::printf("%d %zu %d %d %s", iv, Si::v.size(), Si::k, Si::cnt, Si::names[1]); NL; int arr[] = {4, 5, 6}; Pair p(arr, arr + 3, 0); Pair p2(1, 2.5); std::printf("%d %ld %zu %g ", p.a, p.b, sizeof(p), p2.b); Wrap w{"text"}; Wrap w2{2.5f}; std::printf("%zu %zu ", w.x.size(), sizeof(w2)); Inh h{Wrap{1}, Pt{}}; std::printf("%d", static_cast<Wrap<int>&>(h).x); NL;
  std::printf("%s %s %s %d", what(1), what(std::string()), what(Pt{}), ab(-5)); NL;
  V3 a{1, 2, "a"}, b{1, 3, "a"}; std::printf("%d%d%d%d ", a < b, a == b, a >= b, (a <=> b) < 0); std::printf("%d%d ", Ord{12} == Ord{15}, Ord{12} < Ord{25}); Der d1{{1, 2, "x"}, 1.0}, d2{{1, 2, "x"}, 2.0}; std::printf("%d%d ", d1 < d2, d1 != d2); std::printf("%d %d", (1.0 <=> 2.0) == std::partial_ordering::less, std::strong_ordering::less < 0); NL;
  std::printf("%u %d %d %d", unsigned(E::A | E::B), int(E::C), f2, ci); NL; Bf bf{}; bf.d = (1ul << 40) - 1; bf.d++; bf.c = 7; std::printf("%u %d %d %lu %zu", bf.a, bf.b, bf.c, (unsigned long)bf.d, sizeof(Bf)); NL;
  std::printf("%d ", stat(1)); std::printf("%d ", stat(2)); NL; std::printf("%d %d", adl(Al::X{}), hid); NL;
  if (constexpr int q = 5; q > 3) std::printf("q"); for (T t(60); auto c : {1, 2}) std::printf("%d%d ", t.n, c); NL; [[maybe_unused]] auto [x, y] = std::pair{1, 'c'}; int mat[2][3] = {{1, 2}, {4}}; for (auto& r : mat) for (int v : r) std::printf("%d", v); NL;
  using namespace std::string_literals; auto s = "lit"s + R"(raw\n)"; std::printf("%zu %d %g %llu", s.size(), 0b1010'1010, 0x1.8p3, 18'000'000'000'000ull); NL;
  int i = 0; i = i++ + 2; int j = (i++, i + 1); std::printf("%d %d ", i, j); char buf[8]; auto* pp = new (buf) int(5); std::printf("%d ", *std::launder(pp)); decltype(auto) rr = (i); rr = 9; std::printf("%d", i); NL; int const volatile cv = 3; std::printf("%d %zu", cv, alignof(long double)); NL;
}
