// std: c++20
// Ranges of every kind: sentinels, iterators of the program's, functions found by their arguments.
#include <algorithm>
#include <cstdio>
#include <deque>
#include <forward_list>
#include <iterator>
#include <ranges>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>
namespace vw = std::views;
struct Count { struct Sent { int n; }; struct It { int i; int operator*() const { return i; } It& operator++() { ++i; return *this; } friend bool operator!=(const It& a, const Sent& s) { return a.i < s.n; } }; It begin() const { return {0}; } Sent end() const { return {4}; } };
struct Eq { struct It { using value_type = int; using difference_type = std::ptrdiff_t; int i = 0; int operator*() const { return i * i; } It& operator++() { ++i; return *this; } It operator++(int) { auto t = *this; ++i; return t; } bool operator==(std::default_sentinel_t) const { return i >= 5; } bool operator==(const It&) const = default; }; It begin() { return {}; } std::default_sentinel_t end() { return {}; } };
template <class T> struct Tree { T v; Tree *l = nullptr, *r = nullptr; struct It { std::vector<Tree*> st; void push(Tree* t) { for (; t; t = t->l) st.push_back(t); } T& operator*() { return st.back()->v; } It& operator++() { auto t = st.back()->r; st.pop_back(); push(t); return *this; } friend bool operator==(const It& a, const It& b) { return a.st == b.st; } friend bool operator!=(const It& a, const It& b) { return !(a == b); } }; It begin() { It i; i.push(this); return i; } It end() { return {}; } };
namespace Adl { struct R { int a[3] = {1, 2, 3}; }; int* begin(R& r) { return r.a; } int* end(R& r) { return r.a + 3; } const int* begin(const R& r) { return r.a; } const int* end(const R& r) { return r.a + 3; } }
template <class R> int total(R&& r) { int s = 0; for (auto&& x : r) s += x; return s; }
template <std::ranges::input_range R> auto collect(R&& r) { std::vector<std::ranges::range_value_t<R>> v; for (auto&& x : r) v.push_back(x); return v; }
struct Gen : std::ranges::view_interface<Gen> { int n; explicit Gen(int n) : n(n) {} auto begin() const { return vw::iota(0, n).begin(); } auto end() const { return vw::iota(0, n).end(); } };
int main() {
  for (int x : Count{}) std::printf("%d ", x); for (int x : Eq{}) std::printf("%d ", x); std::printf("\n");
  Tree<int> a{1}, c{3}, b{2, &a, &c}; for (int& x : b) x *= 2; for (int x : b) std::printf("%d ", x); std::printf("%d\n", total(b));
  Adl::R r; for (int& x : r) ++x; const Adl::R& cr = r; for (int x : cr) std::printf("%d ", x); std::printf("%d\n", total(r));
  std::deque<int> d{1, 2, 3}; std::set<std::string> s{"b", "a"}; std::forward_list<int> f{4, 5}; std::unordered_map<int, int> m{{1, 2}}; for (auto x : d) std::printf("%d", x); for (auto& x : s) std::printf("%s", x.c_str()); for (auto x : f) std::printf("%d", x); for (auto& [k, v] : m) std::printf("%d%d", k, v); std::printf("\n");
  std::vector<bool> vb{true, false, true}; for (auto x : vb) std::printf("%d", bool(x)); for (auto&& x : vb) x = !x; std::printf("%d\n", total(vb));
  std::span<int> sp(r.a, 2); for (int x : sp | vw::reverse) std::printf("%d ", x); std::string_view sv = "hello"; for (char ch : sv | vw::drop(1) | vw::transform([](char q) { return char(q - 32); })) std::putchar(ch); std::printf("\n");
  std::istringstream in("5 6 7"); for (int x : std::ranges::istream_view<int>(in)) std::printf("%d ", x); std::printf("\n");
  auto v = collect(vw::iota(1, 20) | vw::filter([](int i) { return i % 3 == 0; }) | vw::transform([](int i) { return i * 1.5; }) | vw::take(4)); for (double x : v) std::printf("%g ", x); std::printf("\n");
  for (int x : Gen(3)) std::printf("%d ", x); for (int x : Gen(5) | vw::drop(3)) std::printf("%d ", x); std::printf("%d %d\n", Gen(4).front(), (int)Gen(0).empty());
  int arr[2][3] = {{1, 2, 3}, {4, 5, 6}}; for (auto& row : arr) for (int& x : row | vw::filter([](int i) { return i & 1; })) x = 0; for (int x : arr | vw::join) std::printf("%d", x); std::printf("\n");
  auto pipeline = vw::filter([](int i) { return i > 2; }) | vw::transform([](int i) { return -i; }); for (int x : d | pipeline) std::printf("%d ", x); for (auto p : vw::iota(0, 3) | vw::transform([](int i) { return std::pair(i, i * i); })) std::printf("%d:%d ", p.first, p.second); std::printf("\n");
  std::vector<std::string> w{"x", "yy", "zzz"}; std::string j; for (char ch : w | vw::join) j += ch; std::printf("%s %zu\n", j.c_str(), std::ranges::max(w, {}, &std::string::size).size()); auto [mn, mx] = std::ranges::minmax(d); std::printf("%d %d\n", mn, mx);
  std::vector<int> q{3, 1, 2}; std::ranges::sort(q, std::greater{}); std::ostringstream os; auto [i1, o1] = std::ranges::copy_if(q, std::ostream_iterator<int>(os, ","), [](int x) { return x > 1; }); std::printf("%d %d %d\n", i1 == q.end(), std::ranges::equal(q, std::vector{3, 2, 1}), (int)(std::ranges::lower_bound(q, 2, std::greater{}) - q.begin()));
  for (auto const& chunk : vw::counted(w.begin(), 2)) std::printf("%s ", chunk.c_str()); for (auto x : vw::lazy_split(std::string_view("a-b"), '-')) for (char ch : x) std::putchar(ch); std::printf("\n");
}
