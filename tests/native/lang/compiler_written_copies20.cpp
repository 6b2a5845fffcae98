// std: c++20
// Copies, moves, assignments and comparisons that the compiler writes: which functions of the parts they call.
#include <cstdio>
#include <utility>
#include <compare>
#include <string>
#include <vector>
#include <optional>
#include <variant>
#include <memory>
struct A { int k = 0; A() { puts("A()"); } explicit A(int k) : k(k) {} A(A &) { puts("A(A&)"); } A(const A &) { puts("A(const A&)"); } A(A &&) { puts("A(A&&)"); } A(const A &&) { puts("A(const A&&)"); }
  A &operator=(A &) { puts("=A&"); return *this; } A &operator=(const A &) { puts("=const A&"); return *this; } A &operator=(A &&) { puts("=A&&"); return *this; } ~A() {} };
struct B { template <class T> B(T &&) { puts("B(T&&)"); } B() {} B(const B &) { puts("B(const B&)"); } B(B &&) = default; template <class T> B &operator=(T &&) { puts("B=T&&"); return *this; } B &operator=(const B &) { puts("B=const"); return *this; } };
struct C { int n; C(int n = 3, const char *w = "d") : n(n) { printf("C(%d,%s)\n", n, w); } C(const C &o, int extra = 4) : n(o.n) { printf("C(const C&,%d)\n", extra); } };
struct D { A a; const A ca{1}; A arr[2]; C c; };
struct E { B b; }; struct F : A, E { mutable A m; F() {} };
struct G { A a; G() = default; G(const G &) = default; G &operator=(const G &) = default; G(G &&) = default; G &operator=(G &&) = default; };
struct H { A &r; const int k; H(A &a) : r(a), k(1) {} };
struct I { std::string s = "i"; std::vector<int> v{1, 2}; std::unique_ptr<int> p; };
struct J { A a; J(J &) = default; J() {} };
struct K { J j; C c; };
struct OnlyBy { int v; OnlyBy(int v) : v(v) {} OnlyBy &operator=(OnlyBy o) { printf("by value %d\n", o.v); v = o.v; return *this; } OnlyBy(const OnlyBy &o) : v(o.v) { puts("OB copy"); } };
struct L { OnlyBy o{3}; };
struct Cmp { int a; double b; std::string s; auto operator<=>(const Cmp &) const = default; };
struct Eq { int a[2]; struct In { char c; bool operator==(const In &o) const { puts("In=="); return c == o.c; } } in; bool operator==(const Eq &) const = default; };
union U { int i; float f; }; struct M { U u; int bits : 3; A a; };
struct V0 { V0() { puts("V0"); } V0(const V0 &) { puts("V0 copy"); } V0 &operator=(const V0 &) { puts("V0="); return *this; } }; struct V1 : virtual V0 { A a; }; struct V2 : virtual V0 {}; struct V3 : V1, V2 { C c; };
int main() {
  puts("-D"); D d; { D e(d); const D f; puts("-const"); D g(f); puts("-move"); D h(std::move(d)); }
  puts("-E"); E e; E e2(e); E e3(std::move(e)); e2 = e3; e2 = std::move(e3);
  puts("-F"); F f; F f2(f); f2 = f; F f3(std::move(f)); f3 = std::move(f2);
  puts("-G"); G g; G g2(g); g2 = g; G g3(std::move(g)); g3 = std::move(g2); const G cg; G g4(std::move(cg)); g4 = std::move(cg);
  puts("-H"); A a; H h(a); H h2(h);
  puts("-I"); I i; I i2(std::move(i)); i = std::move(i2); printf("%s %zu\n", i.s.c_str(), i.v.size());
  puts("-J"); J j; J j2(j); K k; K k2(k);
  puts("-L"); L l; L l2(l); l2 = l; l2 = std::move(l);
  puts("-Cmp"); Cmp c1{1, 2, "a"}, c2{1, 2, "b"}; printf("%d %d %d %d\n", c1 < c2, c1 == c2, c1 != c2, (c1 <=> c2) == std::partial_ordering::less); Eq q1{{1, 2}, {'a'}}, q2{{1, 2}, {'b'}}; printf("%d %d\n", q1 == q2, q1 != q2);
  puts("-M"); M m{{3}, 2}; M m2(m); m2 = m; printf("%d %d\n", m2.u.i, m2.bits);
  puts("-V"); V3 v; V3 v2(v); v2 = v; V3 v3(std::move(v));
  puts("-lam"); auto lam = [a, &l, c = C(5)] {}; auto lam2 = lam; auto lam3 = std::move(lam);
  puts("-std"); std::optional<A> o{A(1)}; auto o2 = o; o2 = std::move(o); std::variant<int, A> va = A(2); auto vb = va; vb = std::move(va); std::pair<A, C> p; auto p2 = p; p2 = std::move(p); std::vector<A> vec(2); auto vec2 = vec; vec.push_back(a); vec2 = std::move(vec);
  return 0;
}
