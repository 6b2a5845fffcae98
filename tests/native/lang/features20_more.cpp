// std: c++20
// What C++20 added, in everyday use.
#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <compare>
#include <concepts>
#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>
#include <numbers>
#include <numeric>
#include <utility>
#include <tuple>
#include <optional>
#include <source_location>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>
template <std::size_t N> struct Str { char s[N]; consteval Str(const char (&c)[N]) { std::copy_n(c, N, s); } }; template <Str S> const char* name() { return S.s; } template <Str S> struct Tag { static constexpr auto len = sizeof(S.s) - 1; };
struct Pt { int x, y; constexpr bool operator==(const Pt&) const = default; constexpr auto operator<=>(const Pt&) const = default; }; template <Pt P> constexpr int px = P.x * 10 + P.y;
struct Money { long c; constexpr std::strong_ordering operator<=>(const Money& o) const { return c <=> o.c; } constexpr bool operator==(const Money& o) const = default; constexpr bool operator==(long l) const { return c == l; } constexpr std::partial_ordering operator<=>(double d) const { return double(c) <=> d; } };
struct Arr { std::array<int, 3> a; std::string s; double d; auto operator<=>(const Arr&) const = default; }; enum class Lvl { lo, hi }; struct Mix { Lvl l; std::optional<int> o; std::vector<int> v; auto operator<=>(const Mix&) const = default; };
template <class T> concept Shape = requires(const T& t, double k) { { t.area() } -> std::same_as<double>; { t.scale(k) }; requires !std::is_same_v<T, int>; }; struct Sq { double s; double area() const { return s * s; } Sq scale(double k) const { return {s * k}; } }; double twice(const Shape auto& s) { return s.scale(2).area(); }
template <class T> requires std::integral<T> struct Int { T v; }; template <std::floating_point T> struct Int2 { T v; }; template <class T> struct Opt { T t; void show() const requires std::same_as<T, int> { std::printf("int "); } void show() const { std::printf("other "); } ~Opt() requires std::is_trivially_destructible_v<T> = default; ~Opt() { std::printf("~Opt "); } };
auto gen = []<class T, std::size_t... I>(std::array<T, sizeof...(I)> a, std::index_sequence<I...>) { return ((a[I] * int(I)) + ...); }; template <class... F> struct ov : F... { using F::operator()...; };
void where(int k, std::source_location l = std::source_location::current()) { std::printf("%d:%u ", k, l.line()); } constexpr int cx() { std::vector<int> v{1, 2, 3}; int t = 0; for (int x : v) t += x; return t + 3; }
struct Aggr { int a; struct { int b = 2; } in; std::string s{"dflt"}; int arr[2]; }; struct Base { int b; }; struct DerA : Base { int d; }; struct NoCopy { NoCopy() = default; NoCopy(const NoCopy&) = delete; int v = 4; }; NoCopy elide() { return NoCopy(); }
[[nodiscard]] constexpr auto lam_default = [](auto x, auto... r) { if constexpr (sizeof...(r)) return x + sizeof...(r); else return x; }; using Fn = decltype([](int a, int b) { return a > b; });
struct Bits { unsigned a : 3; unsigned b : 5 {7}; }; template <class T> using Ptr = std::unique_ptr<T>; template <auto... V> constexpr auto total = (V + ...); template <class T> constexpr bool always = false;
int main() {
  Money a{5}, b{7}; std::printf("%d%d%d%d%d\n", a < b, a == 5, 5 == a, a < 5.5, a != b); Arr x{{1, 2, 3}, "a", 1}, y{{1, 2, 4}, "a", 1}; std::printf("%d%d%d\n", x < y, x == x, (x <=> y) == std::partial_ordering::less); Mix m1{Lvl::lo, 3, {1}}, m2{Lvl::lo, {}, {2}}; std::printf("%d%d\n", m1 > m2, m1 == m2);
  std::printf("%g %d\n", twice(Sq{3}), Int<short>{4}.v); { Opt<int> oi{1}; oi.show(); Opt<std::string> os{"s"}; os.show(); } std::printf("\n%d\n", gen(std::array{1, 2, 3}, std::make_index_sequence<3>{})); std::variant<int, std::string> v = "str"; std::visit(ov{[](int) { std::printf("i"); }, [](const std::string& s) { std::printf("%s\n", s.c_str()); }}, v);
  static_assert(cx() == 9); Aggr g{.a = 1, .in = {.b = 3}, .arr = {5, 6}}; std::printf("%d %d %s %d\n", g.a, g.in.b, g.s.c_str(), g.arr[1]); DerA da{{1}, 2}; DerA db{3, 4}; std::printf("%d %d %d\n", da.b, db.b, elide().v); Aggr pa(7); std::printf("%d %s\n", pa.a, pa.s.c_str());
  std::printf("%d %d\n", int(lam_default(1)), int(lam_default(1, 2, 3))); std::vector<int> vv{3, 1, 2}; std::sort(vv.begin(), vv.end(), Fn{}); std::printf("%d %d %d\n", vv[0], std::popcount(0xF0u), std::countl_zero(1u)); std::printf("%d %d %d %.4f %d\n", std::bit_cast<int>(1.0f), std::midpoint(2, 8), (int)std::rotl(1u, 4), std::numbers::pi, std::has_single_bit(8u)); std::erase_if(vv, [](int k) { return k > 2; }); std::printf("%zu %d %d\n", vv.size(), std::string("abc").starts_with("ab"), std::string_view("xyz").ends_with('z'));
  std::span<const int> sp(vv); std::printf("%d %zu %d\n", sp.front(), sp.size(), sp.subspan(1)[0]); Bits bt{.a = 1}; std::printf("%u %d\n", bt.b, total<1, 2, 3>); using namespace std::chrono; auto dur = 90min; std::printf("%d %d\n", (int)duration_cast<hours>(dur).count(), (int)(1h + 30min == dur)); auto sh = std::make_shared<int[]>(3); sh[2] = 4; std::printf("%d\n", sh[2]); for (auto i = 0; auto c : std::string("ab")) std::printf("%d%c ", i++, c); std::printf("\n");
  auto bound = std::bind_front([](int p, int q) { return p - q; }, 10); std::printf("%d %d\n", bound(3), std::cmp_less(-1, 1u)); if (auto p = std::make_unique_for_overwrite<int>(); p) { *p = 3; std::printf("%d\n", *p); }
  const auto t = std::make_tuple(1, 2.5); auto r = std::make_from_tuple<std::pair<int, double>>(t); std::printf("%g %d\n", r.second, std::is_constant_evaluated()); if (r.first) [[likely]] std::printf("end\n"); using enum Lvl; std::printf("%d\n", int(hi));
}
