// Range-for and structured bindings by overloads of `begin`, `end` and `get`: const, rvalues, friends, templates, bases.
#include <cstdio>
#include <utility>
#include <tuple>
struct It { int v; int step; int operator*() const { return v; } It &operator++() { v += step; return *this; } bool operator!=(const It &o) const { return v != o.v; } };
struct Both { It begin() { return {0, 1}; } It end() { return {3, 1}; } It begin() const { return {0, 2}; } It end() const { return {6, 2}; } };
struct Base { It begin() const { return {10, 1}; } It end() const { return {12, 1}; } };
struct Der : Base {}; struct Hide : Base { It begin() const { return {11, 1}; } };
namespace n1 { struct R { int k; }; It begin(R &r) { return {r.k, 1}; } It end(R &r) { return {r.k + 2, 1}; } It begin(const R &r) { return {r.k * 10, 5}; } It end(const R &r) { return {r.k * 10 + 10, 5}; } }
namespace n2 { struct R { int k; friend It begin(R r) { return {r.k + 100, 1}; } friend It end(R r) { return {r.k + 101, 1}; } }; It begin(n1::R &) { return {0, 1}; } }
namespace n3 { template <class T> struct R { T k; }; template <class T> It begin(const R<T> &r) { return {int(r.k), 1}; } template <class T> It end(const R<T> &r) { return {int(r.k) + 1, 1}; } It begin(const R<char> &r) { return {500, 1}; } It end(const R<char> &r) { return {501, 1}; } }
struct Ref { It begin() & { return {20, 1}; } It begin() && { return {21, 1}; } It end() const { return {23, 1}; } };
struct Def { It begin(int k = 30) const { return {k, 1}; } It end(int k = 32) const { return {k, 1}; } template <class T> It begin(T) const { return {0, 1}; } };
struct Sentinel {}; struct It2 { int v; int operator*() const { return v; } It2 &operator++() { ++v; return *this; } bool operator!=(Sentinel) const { return v < 43; } }; struct Sen { It2 begin() const { return {40}; } Sentinel end() const { return {}; } };
template <class C> void each(const char *t, C &&c) { printf("%s", t); for (auto x : c) printf(" %d", int(x)); puts(""); }
struct G { int a, b; template <int I> int &get() & { return I ? a : b; } template <int I> int get() const & { return I ? a * 10 : b * 10; } template <int I> int get() && { return I ? -a : -b; } };
namespace m { struct H { int a, b; }; template <int I> int &get(H &h) { return I ? h.a : h.b; } template <int I> int get(const H &h) { return (I ? h.a : h.b) * 100; } template <int I> int get(H &&h) { return (I ? h.a : h.b) * -1; } }
namespace std { template <> struct tuple_size<G> : integral_constant<size_t, 2> {}; template <> struct tuple_size<m::H> : integral_constant<size_t, 2> {}; template <size_t I> struct tuple_element<I, G> { using type = int; }; template <size_t I> struct tuple_element<I, m::H> { using type = int; }; }
int main() {
    Both b; const Both cb; each("b", b); each("cb", cb); each("tmp", Both()); each("der", Der()); 
    n1::R r{5}; const n1::R cr{5}; each("r", r); each("cr", cr);  each("n3", n3::R<int>{7}); each("n3c", n3::R<char>{7});
    Ref ref; for (int x : ref) printf("%d ", x); for (int x : Ref()) printf("%d ", x); puts("");  each("sen", Sen());
    G g{1, 2}; auto [x, y] = g; auto &[u, v] = g; const auto &[p, q] = g; auto &&[s, t] = std::move(g); u = 50; printf("%d %d %d %d %d %d %d %d %d\n", x, y, u, v, p, q, s, t, g.b);
    m::H h{3, 4}; auto [hx, hy] = h; auto &[hu, hv] = h; const auto &[hp, hq] = h; hu = 60; printf("%d %d %d %d %d %d %d\n", hx, hy, hu, hv, hp, hq, h.b);
}
