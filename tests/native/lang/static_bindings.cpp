// static structured bindings, and bindings in odd places
#include <array>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <utility>
struct P { int a; std::string b; }; struct Bfs { unsigned x : 3, y : 5; };
P make() { std::printf("make "); return {1, "one"}; }
auto [ga, gb] = make();
static auto& [ra, rb] = *new P{2, "two"};
const auto [ta, tb, tc] = std::make_tuple(1, 2.5, std::string("t"));
static const int arr[3] = {7, 8, 9}; auto [a0, a1, a2] = arr; const auto& [c0, c1, c2] = arr;
namespace N { auto [n1, n2] = std::pair(5, 'c'); int user() { return n1++; } }
static auto [i1, i2] = Bfs{3, 17};
int counter() { static auto [n, s] = P{0, "x"}; n++; s += "y"; return n * 100 + int(s.size()); }
std::array<std::pair<int, int>, 2> prs{{{1, 2}, {3, 4}}};
auto&& [f1, f2] = std::pair<std::string, int>("temp", 9);
int main() {
  std::printf("%d %s %d %s\n", ga, gb.c_str(), ra, rb.c_str()); ga = 5; gb += "!"; std::printf("%d %s\n", ga, gb.c_str());
  std::printf("%d %g %s %d %d %d\n", ta, tb, tc.c_str(), a1, c2, &c0 == &arr[0]); N::user(); std::printf("%d %c %d %d\n", N::n1, N::n2, (int)i1, (int)i2);
  int k1 = counter(), k2 = counter(); std::printf("%d %d\n", k1, k2);
  for (auto& [x, y] : prs) { auto l = [&x = x, y = y] { return x += y; }; std::printf("%d ", l()); } std::printf("%d\n", prs[1].first); std::printf("%s %d\n", f1.c_str(), f2);
  static auto [m1, m2] = std::map<int, int>{{1, 2}}.size() ? std::pair(1, 2) : std::pair(3, 4); std::printf("%d%d\n", m1, m2); auto lam = [] { return ga + N::n1; }; std::printf("%d\n", lam());

  delete (P*)&ra;
}
