// std: c++20
// Ranges, spans, bits, comparison and the rest of C++20's small things.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <compare>
#include <concepts>
#include <iostream>
#include <map>
#include <memory>
#include <numbers>
#include <numeric>
#include <ranges>
#include <set>
#include <source_location>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>
struct P { int x, y; auto operator<=>(const P &) const = default; };
template <std::integral T> T sum(std::span<const T> s) { return std::accumulate(s.begin(), s.end(), T{}); }
int main()
{
    std::vector<int> v{5, 3, 8, 1};
    std::ranges::sort(v, std::greater{});
    std::cout << v[0] << ' ' << std::ranges::max(v) << ' ' << std::ranges::count_if(v, [](int x) { return x > 2; }) << ' ' << *std::ranges::find(v, 3) << '\n';
    std::vector<P> ps{{1, 2}, {0, 5}, {1, 0}};
    std::ranges::sort(ps);
    std::cout << ps[0].x << ps[0].y << ps[1].y << (ps[0] < ps[1]) << ((ps[0] <=> ps[1]) < 0) << '\n';
    std::ranges::sort(ps, {}, &P::y);
    std::cout << ps[2].x << '\n';
    std::cout << sum<int>(v) << ' ' << std::span(v).subspan(1, 2).size() << ' ' << std::popcount(0xF0u) << std::countl_zero(1u) << std::bit_ceil(5u) << std::has_single_bit(8u) << std::rotl(1u, 5) << ' ' << std::midpoint(3, 8) << ' ' << std::lerp(1.0, 2.0, 0.25) << '\n';
    std::cout << std::numbers::pi << ' ' << std::erase_if(v, [](int x) { return x > 4; }) << v.size() << ' ' << std::string("abc").starts_with("ab") << std::string("abc").ends_with('c') << '\n';
    std::map<int, int> m{{1, 1}, {2, 2}};
    std::cout << m.contains(2) << std::erase_if(m, [](auto &p) { return p.first == 1; }) << '\n';
    auto p = std::make_unique_for_overwrite<int[]>(3);
    p[0] = 1;
    auto s = std::make_shared<int[]>(4, 7);
    std::cout << s[3] << p[0] << std::ssize(v) << '\n';
    auto a = std::to_array({1, 2, 3});
    std::cout << a.size() << std::cmp_less(-1, 1u) << std::in_range<unsigned char>(300) << ' ' << std::assume_aligned<4>(a.data())[1] << '\n';
    std::unordered_map<std::string, int> u{{"a", 1}};
    std::cout << u.contains("a") << (std::strong_ordering::less < 0) << '\n';
    std::array<int, 4> shifted{1, 2, 3, 4};
    std::shift_left(shifted.begin(), shifted.end(), 2);
    std::cout << shifted[0] << shifted[1] << '\n';
}
