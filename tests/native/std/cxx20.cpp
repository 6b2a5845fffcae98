// std: c++20
// Concepts, comparisons by default, spans, range-for with a first statement, designated members, ranges algorithms.
#include <algorithm>
#include <array>
#include <compare>
#include <concepts>
#include <iostream>
#include <numbers>
#include <ranges>
#include <span>
#include <string>
#include <vector>

struct Version {
    int major, minor;
    auto operator<=>(const Version&) const = default;
};
template <std::integral T>
T twice(T x) { return 2 * x; }
template <class T>
concept Sized = requires(T t) { { t.size() } -> std::convertible_to<size_t>; };
size_t length(const Sized auto& x) { return x.size(); }
int total(std::span<const int> s)
{
    int t = 0;
    for (int x : s) t += x;
    return t;
}
struct Options {
    int depth = 1;
    bool fast = false;
    std::string name = "none";
};
consteval int square(int x) { return x * x; }

int main()
{
    Version a{1, 2}, b{1, 3};
    std::cout << (a < b) << (a == b) << (a != b) << (b >= a) << '\n';
    std::vector<int> v{5, 3, 8, 1};
    std::cout << twice(21) << length(v) << total(v) << total(std::span(v).subspan(1, 2)) << '\n';
    std::ranges::sort(v);
    for (int n = 0; int x : v) std::cout << n++ << ':' << x << ' ';
    Options o{.depth = 3, .name = "deep"};
    std::cout << o.depth << o.fast << o.name << square(7) << '\n';
    std::string s = "prefix-body";
    std::cout << s.starts_with("prefix") << s.ends_with("x") << std::erase(s, '-') << s << '\n';
    auto f = []<class T>(const std::vector<T>& x) { return x.size() * sizeof(T); };
    std::cout << f(v) << ' ' << std::numbers::pi << ' ' << std::ranges::count_if(v, [](int x) { return x > 2; }) << ' ' << *std::ranges::max_element(v) << '\n';
    std::array arr = {1, 2, 3};
    auto [x, y, z] = arr;
    auto g = [x, &y] { return x + y; };
    std::cout << g() + z << ' ' << std::erase_if(v, [](int i) { return i < 4; }) << v.size() << std::endl;
}
