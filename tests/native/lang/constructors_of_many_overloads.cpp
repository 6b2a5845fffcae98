// Constructors that elements of lists call, of many overloads.
#include <cstdio>
#include <initializer_list>
#include <string>
#include <vector>
#include <map>
#include <utility>
#include <optional>
#include <tuple>
#include <functional>
struct FromI { int k; FromI(int) : k(1) {} FromI(double) : k(2) {} FromI(const char *) : k(3) {} FromI(std::initializer_list<int>) : k(4) {} FromI(bool, int) : k(5) {} };
struct Conv { operator int() const { return 1; } operator const char *() const { return "x"; } };
struct CD { operator double() const { return 1.5; } };
struct Tw { int k; Tw(long) : k(1) {} Tw(unsigned char) : k(2) {} Tw(float) : k(3) {} };
struct Rf { int k; Rf(int &) : k(1) {} Rf(const int &) : k(2) {} Rf(int &&) : k(3) {} };
struct Pt { int k; Pt(void *) : k(1) {} Pt(const int *) : k(2) {} Pt(std::nullptr_t) : k(3) {} Pt(bool) : k(4) {} Pt(int (*)(int)) : k(5) {} };
struct Bs {}; struct Dv : Bs {}; struct Db : Dv {}; struct Hi { int k; Hi(const Bs &) : k(1) {} Hi(Dv) : k(2) {} Hi(...) : k(3) {} Hi(const Dv *, int = 3) : k(4) {} };
struct Tm { int k; template <class T> Tm(T) : k(1) {} Tm(int) : k(2) {} template <class T> Tm(T *) : k(3) {} template <class T, class U> Tm(T, U) : k(4) {} Tm(int, double) : k(5) {} template <class... A> Tm(A &&..., char) : k(6) {} };
struct Ex { int k; explicit Ex(int) : k(1) {} Ex(double) : k(2) {} };
struct En { enum E { a, b }; enum class F { c }; int k; En(E) : k(1) {} En(F) : k(2) {} En(int) : k(3) {} };
struct Ag { FromI f; Tw t; int n; }; struct Ag2 { Ag a; FromI b[2]; };
struct Vr { int k; Vr(int, ...) : k(1) {} Vr(int, int) : k(2) {} }; struct Df { int k; Df(int a, int b = 3) : k(a + b) {} Df(double, double) : k(100) {} };
struct Cp { int k; Cp() : k(0) {} Cp(const Cp &o) : k(o.k + 1) {} Cp(Cp &&o) : k(o.k + 10) {} template <class T> Cp(const T &) : k(50) {} }; struct Wr { Cp c; };
struct Str { int k; Str(std::string) : k(1) {} Str(const std::vector<int> &) : k(2) {} Str(std::function<int()>) : k(3) {} };
template <class T> struct Gt { int k; Gt(T) : k(1) {} Gt(const T &, T) : k(2) {} Gt(std::initializer_list<T>) : k(3) {} template <class U> Gt(Gt<U> o) : k(o.k + 20) {} };
int fn(int x) { return x; }
int main() {
  int i = 1; const int ci = 2; short s = 3; char c = 4; unsigned u = 5; long l = 6; float f = 7; Conv cv; CD cd; Db db; int *p = &i; const int *cp = &ci;
  FromI a[] = {1, 2.0, "x", {1, 2}, {true, 3}, s, 'c', 1.5f, {}, {7}, FromI{8.0}, FromI(9)}; for (auto &x : a) printf("%d ", x.k); puts("");
  Tw t[] = {1L, (unsigned char)2, 3.f, Tw((unsigned char)4)}; for (auto &x : t) printf("%d ", x.k); puts("");
  Rf r[] = {i, ci, 5, (int)s, s, std::move(i)}; for (auto &x : r) printf("%d ", x.k); puts("");
  Pt q[] = {p, cp, nullptr, &f, true, fn, &fn, (void *)p, "x"}; for (auto &x : q) printf("%d ", x.k); puts("");
  Hi h[] = {Bs(), Dv(), db, Db(), {&db}, {&db, 4}}; for (auto &x : h) printf("%d ", x.k); puts("");
  Tm m[] = {1, s, p, {1, 2}, {1, 2.0}, {2.0, 1}, 'c', "x", l}; for (auto &x : m) printf("%d ", x.k); puts("");
  Ex e[] = {2.0, Ex(1), 3.f, Ex{4}}; for (auto &x : e) printf("%d ", x.k); puts("");
  En n[] = {En::a, En::F::c, 1, 'c', true}; for (auto &x : n) printf("%d ", x.k); puts("");
  Ag g[] = {{1, 2L, 3}, {"x", 4.f}, {{1, 2}, (unsigned char)1, 5}}; for (auto &x : g) printf("%d%d%d ", x.f.k, x.t.k, x.n); puts("");
  Ag2 g2 = {{1.0, 2L, 3}, {{1}, 2}}; printf("%d %d %d\n", g2.a.f.k, g2.b[0].k, g2.b[1].k);
  Vr v[] = {{1, 2}, {1}, {1, 2.0}, {1, 2, 3}}; for (auto &x : v) printf("%d ", x.k); puts(""); Df d[] = {1, {2, 4}, {2.0, 4.0}}; for (auto &x : d) printf("%d ", x.k); puts("");
  Cp k; Cp kc[] = {k, std::move(k), Cp(), i, Cp(2.0)}; for (auto &x : kc) printf("%d ", x.k); Wr w{k}; Wr w2{5}; Wr w3{w}; Wr w4[2] = {w, {Cp()}}; printf("%d %d %d %d %d\n", w.c.k, w2.c.k, w3.c.k, w4[0].c.k, w4[1].c.k);
  Str st[] = {std::string("x"), std::vector<int>{1}, std::string("abc", 2)}; for (auto &x : st) printf("%d ", x.k); puts("");
  Gt<int> gt[] = {1, {2, 3}, {1}, Gt<double>(2.0), Gt<int>(3)}; for (auto &x : gt) printf("%d ", x.k); puts("");
  std::vector<std::pair<std::string, FromI>> vp{{"a", 1}, {"b", 2.0}, {std::string("c"), {1, 2}}}; for (auto &x : vp) printf("%s%d ", x.first.c_str(), x.second.k); puts("");
  std::map<int, std::vector<std::string>> mp{{1, {"a", "b"}}, {2, {"c"}}, {3, {}}, {4, std::vector<std::string>(2)}}; for (auto &x : mp) printf("%d:%zu ", x.first, x.second.size()); puts("");
  std::vector<std::vector<int>> vv{{1, 2}, {3}, {}, std::vector<int>(4)}; for (auto &x : vv) printf("%zu ", x.size()); std::optional<FromI> of[] = {1, 2.0, std::nullopt, {}}; for (auto &x : of) printf("%d ", x ? x->k : -1); std::tuple<int, FromI, std::string> tu[] = {{1, 2.0, "x"}, {2, "y", "z"}}; for (auto &x : tu) printf("%d ", std::get<1>(x).k); puts("");
}
