// Concepts, comparisons, spans, bits, ranges of algorithms and what else C++20 brought.
// std: c++20
#include <concepts>
#include <compare>
#include <span>
#include <bit>
#include <ranges>
#include <iostream>
#include <vector>
#include <string>
#include <algorithm>
#include <numbers>
#include <array>
#include <map>
#include <source_location>
#include <numeric>
template <class T> concept Number = std::integral<T> || std::floating_point<T>;
template <Number T> T twice(T x) {
    return x * 2;
}
template <class T> requires requires(T t) {
    t.size();
}
auto len(const T& t) {
    return t.size();
}
auto len(auto x) requires Number<decltype(x)> {
    return 1u;
}
struct P {
    int x, y;
    auto operator<=>(const P&) const = default;
};
struct V {
    std::string s;
    int n;
    std::weak_ordering operator<=>(const V& o) const {
        return n <=> o.n;
    }
    bool operator==(const V& o) const {
        return n == o.n;
    }
};
consteval int sq(int x) {
    return x * x;
}
constinit int g = sq(5);
enum class Color { red, green };
template <auto N> struct Val {
    static constexpr auto value = N;
};
struct Agg {
    int a = 1;
    int b = 2;
    int c[3] = {};
};
template <class... T> struct Over : T... {
    using T::operator()...;
};
constexpr int fact(int n) {
    int r = 1;
    for (int i = 2; i <= n; i++) r *= i;
    return r;
}
int main() {
    std::cout << twice(4) << twice(1.5) << len(std::string("abc")) << len(3) << "\n";
    std::cout << (P{1, 2} < P{1, 3}) << (P{1, 2} == P{1, 2}) << ((P{2, 0} <=> P{1, 9}) > 0) << (V{"a", 1} < V{"b", 2}) << (V{"x", 3} == V{"y", 3}) << "\n";
    int arr[] = {5, 3, 1, 4};
    std::span<int> sp(arr);
    std::ranges::sort(sp);
    for (int x : sp.subspan(1, 2)) std::cout << x;
    std::cout << sp.size() << sp.front() << "\n";
    std::cout << std::popcount(255u) << std::bit_ceil(5u) << std::countl_zero(1u) << std::countr_zero(8u) << std::has_single_bit(16u) << std::rotl(1u, 4) << std::bit_cast<unsigned>(1.0f) << std::bit_width(9u) << "\n";
    std::vector<int> v{1, 2, 3, 4, 5, 6};
    std::cout << std::ranges::count_if(v, [](int i) { return i > 2; }) << *std::ranges::max_element(v) << std::ranges::any_of(v, [](int i) { return i == 3; }) << *std::ranges::find(v, 4) << "\n";
    std::map<int, std::string> m{{1, "a"}, {2, "b"}};
    for (const auto& [k, val] : m) std::cout << k << val;
    std::cout << m.contains(2) << "\n";
    std::vector<P> ps{{3, 1}, {1, 2}, {2, 0}};
    std::ranges::sort(ps, {}, &P::x);
    std::cout << ps[0].y << "\n";
    std::cout << std::numbers::pi << " " << g << Val<7>::value << Val<'c'>::value << "\n";
    Agg a{.b = 5};
    std::cout << a.a << a.b << a.c[1] << "\n";
    using enum Color;
    Color c = green;
    std::cout << (c == green) << "\n";
    auto l = []<class T>(T x) requires std::integral<T> {
        return x + 1;
    };
    std::cout << l(4) << "\n";
    std::string s = "hello";
    std::cout << s.starts_with("he") << s.ends_with("x") << "\n";
    std::erase_if(v, [](int x) { return x % 2; });
    std::cout << v.size() << "\n";
    std::cout << std::midpoint(2, 8) << std::ssize(v) << "\n";
    for (int i = 0; auto x : v) std::cout << i++ << x << " ";
    std::cout << "\n";
    if (int q = 3; q > 2) [[likely]] std::cout << "likely\n";
    static_assert(fact(5) == 120);
    Over o{[](int) { return 'i'; }, [](double) { return 'd'; }};
    std::cout << o(1) << o(1.0) << "\n";
    std::cout << 1 << "\n";
    auto arr2 = std::to_array({1, 2, 3});
    std::cout << arr2.size() << "\n";
    std::cout << (std::strong_ordering::less < 0) << ((1.0 <=> 2.0) < 0) << ("a" <=> std::string("b") < 0 ? 1 : 0) << "\n";
    std::array<int, 3> x1{1, 2, 3}, x2{1, 2, 4};
    std::cout << (x1 < x2) << ((std::pair{1, 2} <=> std::pair{1, 1}) > 0) << "\n";
}
