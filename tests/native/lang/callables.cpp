// std: c++20
// lambdas, member pointers, templates
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <optional>
#include <vector>
#include <array>
#include <map>
#include <any>
struct S { virtual int f(int x) { return x + 1; } virtual int g(int x) const { return x * 2; } int h() & { return 1; } int h() && { return 2; } int d = 5; int arr[3] = {1, 2, 3}; static int s(int x) { return -x; } virtual ~S() {} };
struct S2 { virtual int k(int x) { return x; } long pad = 1; virtual ~S2() {} };
struct D : S2, S { int f(int x) override { return x + 100; } int g(int x) const override { return x * 200; } int own(int x) noexcept { return x + d; } };
template <class C, class R, class... A> struct Mem { static constexpr int n = sizeof...(A); };
template <class T> struct Traits; template <class C, class R, class... A> struct Traits<R (C::*)(A...)> { using R_ = R; static constexpr int n = sizeof...(A); static constexpr bool c = false; }; template <class C, class R, class... A> struct Traits<R (C::*)(A...) const> { using R_ = R; static constexpr int n = sizeof...(A); static constexpr bool c = true; };
template <auto M> auto call(S& s, int x) { return (s.*M)(x); }
template <class... Fs> struct over : Fs... { using Fs::operator()...; }; template <class... Fs> over(Fs...) -> over<Fs...>;
template <class F, class... A> auto curry(F f, A... a) { return [f = std::move(f), ...a = std::move(a)](auto&&... b) mutable { return f(a..., std::forward<decltype(b)>(b)...); }; }
struct W { int v = 3; auto byThis() { return [this](int x) { v += x; return v; }; } auto byCopy() { return [*this](int x) mutable { v += x; return v; }; } auto nest() { return [this] { return [this, k = v * 2] { return [=, *this] { return v + k; }; }; }; } };
template <class T> constexpr auto kind() { if constexpr (std::is_pointer_v<T>) return 'p'; else if constexpr (std::is_integral_v<T> && sizeof(T) < 4) return 's'; else if constexpr (std::is_floating_point_v<T>) return 'f'; else return std::string("other"); }
template <int... I> constexpr int sumsq(std::integer_sequence<int, I...>) { return ((I * I) + ... + 0); }
template <class... T> void show(const T&... t) { int i = 0; ((std::printf("%d:%g ", i++, double(t))), ...); std::printf("\n"); }
template <class T, class... R> struct Pack { static constexpr int size = 1 + Pack<R...>::size; }; template <class T> struct Pack<T> { static constexpr int size = 1; };
template <template <class...> class C, class... T> struct Tt { C<T...> c; };
template <class D> struct Crtp { int run() { return static_cast<D*>(this)->impl() + static_cast<const D&>(*this).impl(); } friend bool operator==(const D& a, const D& b) { return a.impl() == b.impl(); } }; struct Im : Crtp<Im> { int k = 4; int impl() const { return k; } int impl() { return k * 10; } };
template <class T> inline constexpr T pi = T(3.14159265358979L);
template <class T, std::size_t N> struct Box { T v[N]; template <class... U> Box(U... u) : v{T(u)...} {} }; template <class T, class... U> Box(T, U...) -> Box<T, 1 + sizeof...(U)>;
int recurse(int n) { auto fact = [](auto self, int n) -> int { return n <= 1 ? 1 : n * self(self, n - 1); }; return fact(fact, n); }
template <class F> int apply3(F&& f) { return std::invoke(std::forward<F>(f), 3); }
int main() {
  D d; S& s = d; int (S::*pf)(int) = &S::f; int (S::*pg)(int) const = &S::g; int (D::*po)(int) = &D::own; int (D::*pc)(int) = static_cast<int (D::*)(int)>(&S::f); int (D::*pk)(int) = &D::k;
  std::printf("%d %d %d %d %d\n", (s.*pf)(1), (d.*pg)(2), (d.*po)(3), (d.*pc)(4), (d.*pk)(6)); int (S::*tab[])(int) = {&S::f, nullptr}; std::printf("%d %d %d\n", tab[0] == pf, tab[1] == nullptr, pc != nullptr);
  int S::*pd = &S::d; int D::*pdd = pd; int (S::*pa)[3] = &S::arr; std::printf("%d %d %d %d\n", s.*pd, d.*pdd, (d.*pa)[1], sizeof(pf) == 16); d.*pdd = 9; std::printf("%d\n", std::invoke(pd, &d));
  std::printf("%d %d %d\n", call<&S::f>(d, 1), call<&S::g>(d, 1), Traits<decltype(&S::g)>::n + Traits<decltype(&S::g)>::c); std::printf("%d %d\n", S().h(), s.h());
  auto mf = std::mem_fn(&S::f); std::function<int(S&, int)> fn = &S::f; auto b = std::bind(&S::f, &s, std::placeholders::_1); std::printf("%d %d %d\n", mf(s, 2), fn(s, 3), b(4));
  std::variant<int, double, std::string> v = 3; auto vis = over{[](int i) { return i * 1.0; }, [](double x) { return x * 2; }, [](const std::string& t) { return double(t.size()); }}; std::printf("%g ", std::visit(vis, v)); v = 2.5; std::printf("%g ", std::visit(vis, v)); v = "hello"; std::printf("%g\n", std::visit(vis, v));
  auto add = curry([](int a, int b, int c) { return a * 100 + b * 10 + c; }, 1, 2); std::printf("%d\n", add(3)); auto up = std::make_unique<int>(5); auto mv = [p = std::move(up)](int k) { return *p + k; }; auto mv2 = std::move(mv); std::printf("%d\n", mv2(2));
  W w; auto t1 = w.byThis(), t1b = t1; auto t2 = w.byCopy(); t1(1); t1b(2); std::printf("%d %d %d %d\n", w.v, t2(5), w.v, w.v); std::printf("%d\n", w.nest()()()());
  std::printf("%c %c %c %s\n", kind<int*>(), kind<short>(), kind<float>(), kind<W>().c_str()); std::printf("%d %d\n", sumsq(std::make_integer_sequence<int, 5>{}), Pack<int, char, long>::size); show(1, 2.5, 'a', 3L);
  Tt<std::tuple, int, char> tt{{1, 'c'}}; std::printf("%d %c\n", std::get<0>(tt.c), std::get<char>(tt.c)); Im im, im2; im2.k = 5; std::printf("%d %d\n", im.run(), im == im2); std::printf("%.5f %d\n", pi<float>, pi<int>);
  Box bx(1, 2.7, 3L); std::printf("%d %zu\n", bx.v[1], sizeof(bx.v)); std::printf("%d %d\n", recurse(5), apply3([k = 4](int x) { return k * x; }));
  int x = 1, y = 2; auto l = [&x, y, z = x + y, &r = y]() mutable { ++x; ++y; r += 10; return x * 1000 + y * 100 + z; }; int r1 = l(), r2 = l(); std::printf("%d %d %d %d\n", r1, r2, x, y);
  std::vector<std::function<int()>> fs; for (int i = 0; i < 3; ++i) fs.push_back([i, n = 0]() mutable { return i * 10 + n++; }); auto fs2 = fs; for (auto& f : fs) std::printf("%d ", f() + f()); for (auto& f : fs2) std::printf("%d ", f()); std::printf("\n");
  auto gen = []<class T>(std::vector<T> v, T init) { for (auto& e : v) init += e; return init; }; std::printf("%g\n", gen(std::vector<double>{1, 2.5}, 1.0));
  static int counter = 0; auto cnt = [] { return ++counter; }; int (*fp)() = cnt; fp(); fp(); int (*fp2)(int) = +[](int x) { return x + counter; }; std::printf("%d\n", fp2(1));
  std::any a = std::string("any"); std::printf("%s %d\n", std::any_cast<std::string&>(a).c_str(), std::any_cast<int>(&a) == nullptr); std::optional<std::pair<int, char>> o{std::in_place, 1, 'z'}; auto [q, z] = *o; std::printf("%d%c %d\n", q, z, o.has_value());
  std::map<std::string, int> m{{"b", 2}, {"a", 1}}; for (auto& [k, val] : m) std::printf("%s=%d ", k.c_str(), val++); if (auto [it, ok] = m.insert({"c", 3}); ok) std::printf("%s %zu\n", it->first.c_str(), m.size());
  auto tup = std::make_tuple(1, std::string("two"), 3.0); std::apply([](auto&&... e) { std::printf("%zu\n", sizeof...(e)); }, tup); auto& [ta, tb, tc] = tup; tb += "!"; std::printf("%s\n", std::get<1>(tup).c_str());
  constexpr auto sq = [](int n) constexpr { return n * n; }; static_assert(sq(4) == 16); std::array<int, sq(2)> ar{}; std::printf("%zu\n", ar.size());
}
