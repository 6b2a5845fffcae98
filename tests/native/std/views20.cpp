// std: c++20
// Views in range-for.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <list>
#include <map>
#include <numeric>
#include <ranges>
#include <string>
#include <vector>
namespace v = std::views; namespace r = std::ranges;
struct S { int id; std::string name; };
auto evens(const std::vector<int>& x) { return x | v::filter([](int i) { return i % 2 == 0; }); }
int main() {
  std::vector<int> a{5, 3, 8, 1, 9, 2, 6}; auto even = [](int i) { return i % 2 == 0; }; auto sq = [](int i) { return i * i; };
  for (auto x : a | v::filter(even) | v::transform(sq)) std::printf("%d ", x); std::printf("\n");
  for (int x : v::iota(1, 6)) std::printf("%d ", x); std::printf("\n");
  for (int x : v::iota(1) | v::take(4)) std::printf("%d ", x); std::printf("\n");
  for (int& x : a | v::drop(2) | v::take(3)) x *= 10; for (int x : a) std::printf("%d ", x); std::printf("\n");
  for (int x : v::reverse(a)) std::printf("%d ", x); std::printf("\n");
  for (int x : a | v::take_while([](int i) { return i < 50; })) std::printf("%d ", x); for (int x : a | v::drop_while([](int i) { return i < 50; })) std::printf("(%d) ", x); std::printf("\n");
  std::map<std::string, int> m{{"x", 1}, {"y", 2}}; for (auto& k : m | v::keys) std::printf("%s ", k.c_str()); for (auto val : m | v::values) std::printf("%d ", val); std::printf("\n");
  std::vector<S> s{{2, "b"}, {1, "a"}, {3, "c"}}; r::sort(s, {}, &S::id); for (const auto& [id, name] : s | v::filter([](const S& x) { return x.id != 2; })) std::printf("%d%s ", id, name.c_str()); for (auto& n : s | v::transform(&S::name)) std::printf("%s ", n.c_str()); std::printf("\n");
  std::vector<std::vector<int>> vv{{1, 2}, {}, {3}}; for (int x : vv | v::join) std::printf("%d ", x); std::printf("\n");
  std::string text = "one two three"; for (auto w : text | v::split(' ')) { for (char c : w) std::printf("%c", c); std::printf("|"); } std::printf("\n");
  for (auto x : evens(a)) std::printf("%d ", x); auto view = a | v::transform([n = 0](int x) mutable { return x + n++; }); std::printf("%d\n", (int)r::distance(view));
  auto c = v::counted(a.begin() + 1, 2); std::printf("%d %zu\n", c.front(), r::size(c)); for (auto x : v::single(4)) std::printf("%d ", x); for (auto x : v::empty<int>) std::printf("%d ", x); std::printf("\n");
  auto it = r::find_if(a, even); std::printf("%d %d\n", *it, (int)r::count_if(a, even)); r::for_each(a | v::common, [](int x) { std::printf("%d,", x); }); std::printf("\n");
  std::list<int> l{1, 2, 3, 4}; for (auto x : l | v::reverse | v::transform(sq) | v::filter(even)) std::printf("%d ", x); std::printf("\n"); for (auto x : r::subrange(l.begin(), l.end())) std::printf("%d ", x); std::printf("\n");
  std::vector<int> out; r::copy(a | v::filter(even), std::back_inserter(out)); std::printf("%zu %d %d\n", out.size(), r::max(out), std::accumulate(out.begin(), out.end(), 0)); for (auto [i, x] : std::vector<std::pair<int, int>>{{1, 2}} | v::all) std::printf("%d%d ", i, x); std::printf("\n");
}
