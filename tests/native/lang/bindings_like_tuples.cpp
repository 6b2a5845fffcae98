// Structured bindings of members whose types are written with `tuple_element`.
#include <cstdio>
#include <tuple>
#include <utility>
template <int N> struct my_tuple_element { using type = int; };
struct S { std::tuple_element<0, std::pair<int, long>>::type a; long b; };
struct R { my_tuple_element<0>::type a; int b; };
template <class T> struct tuple_element_ { T v; };
template <class T> struct not_tuple_element { T v; };
struct Q { not_tuple_element<int> a; int b; };
int main() {
    S s{1, 2}; auto [x, y] = s; auto &[rx, ry] = s; rx = 9;
    R r{3, 4}; auto [u, v] = r;
    Q q{{5}, 6}; auto [m, n] = q; auto &[m2, n2] = q; m2.v = 8;
    std::pair<int, long> p{7, 8}; auto &[a, b] = p; a = 70;
    printf("%d %ld %d %d %d %d %d %d %d %ld\n", x, y, s.a, u, v, m.v, n, q.a.v, p.first, b);
}
