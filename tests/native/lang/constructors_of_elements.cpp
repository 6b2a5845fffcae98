// std: c++20
// Constructors that elements of lists call: numbers, pointers, lists in lists, templates, defaults.
#include <cstdio>
#include <initializer_list>
#include <string>
#include <vector>
#include <map>
#include <memory>
#include <functional>
struct A { int w; A() : w(0) {} A(int) : w(1) {} A(double) : w(2) {} A(const char *) : w(3) {} A(bool) : w(4) {} A(std::initializer_list<int>) : w(5) {} A(int, int) : w(6) {} A(void *) : w(7) {} A(std::nullptr_t) : w(8) {} A(unsigned char) : w(9) {} };
struct B { int w; B(long) : w(1) {} B(float) : w(2) {} B(const A &) : w(3) {} B(A &&) : w(4) {} template <class T> B(T *) : w(5) {} B(const void *) : w(6) {} };
struct C { A a; B b; int n; };
struct D { int w; D(int &) : w(1) {} D(const int &) : w(2) {} D(int &&) : w(3) {} };
struct E { int w; explicit E(int) : w(1) {} E(long) : w(2) {} E(E &) : w(3) {} E(const E &o) : w(o.w * 10) {} };
struct F { int w; F(std::string) : w(1) {} F(std::initializer_list<std::string>) : w(2) {} F(std::vector<int>) : w(3) {} F(int, const char *) : w(4) {} };
struct G { int w; template <class T> G(T) : w(sizeof(T)) {} template <class T> G(std::initializer_list<T> l) : w(100 + l.size()) {} template <class... T> G(int, T...) : w(200 + sizeof...(T)) {} G(int) : w(300) {} };
enum Col { red }; enum class Sh : char { x }; struct H { int w; H(int) : w(1) {} H(Sh) : w(2) {} H(char) : w(3) {} };
struct Der : A { Der(int k) : A(k) {} }; struct I { int w; I(const A &) : w(1) {} I(const Der &) : w(2) {} I(A *) : w(3) {} I(Der *) : w(4) {} I(const A *, int) : w(5) {} };
struct Cv { operator int() const { return 1; } operator A() const { return A(2.0); } };
int take(A a) { return a.w; } int take2(B b) { return b.w; } int takeF(F f) { return f.w; } int takeH(H h) { return h.w; } int takeI(I i) { return i.w; }
struct Agg { int a; A b; struct { int c, d; } e; A arr[2]; int tail = 9; };
int main() {
    A as[] = {1, 2.0, "x", true, {1, 2}, {}, {3}, nullptr, (unsigned char)1, (short)2, 'c', 1.0f, A(1, 2), {nullptr}};
    for (A &a : as) printf("%d ", a.w); puts("");
    C c{1, 2L, 3}, c2{{}, A(), 4}, c3{{1, 2}, c.a, 5}, c4{2.0, "q", 6}, c5{nullptr, (void *)0, 7}; printf("%d%d%d %d%d %d%d %d%d %d%d\n", c.a.w, c.b.w, c.n, c2.a.w, c2.b.w, c3.a.w, c3.b.w, c4.a.w, c4.b.w, c5.a.w, c5.b.w);
    int i = 1; const int ci = 2; D ds[] = {i, ci, 3, std::move(i)}; for (D &d : ds) printf("%d ", d.w); puts("");
    E e{1}; E e2(2L); E es[] = {e, e2, E(3)}; for (E &x : es) printf("%d ", x.w); puts("");
    printf("%d %d %d %d %d\n", takeF({"a", "b"}), takeF({"a", "b", "c"}), takeF({1, "x"}), takeF(std::string("s")), takeF({std::string("s")}));
    G gs[] = {1, (char)2, 2.0, {1, 2}, {1, (char)3, 2.0}, {3.0, 4.0}}; for (G &g : gs) printf("%d ", g.w); puts("");
    H hs[] = {red, Sh::x, 1, (char)1, (short)1, true}; for (H &h : hs) printf("%d ", h.w); puts("");
    Der d(1); const Der cd(2); A a; I is[] = {a, d, cd, &a, &d, {&d, 1}}; for (I &x : is) printf("%d ", x.w); puts("");
    Agg g1{1, {2, 3}, {4, 5}, {{6}, 7.0}}, g2{1, 2, 3, 4, 5, "x", 8}, g3{.a = 1, .e = {2, 3}}; printf("%d %d %d %d %d | %d %d %d %d %d | %d %d %d %d\n", g1.b.w, g1.e.d, g1.arr[0].w, g1.arr[1].w, g1.tail, g2.b.w, g2.e.c, g2.arr[0].w, g2.arr[1].w, g2.tail, g3.b.w, g3.e.c, g3.arr[1].w, g3.tail);
    std::map<int, A> m{{1, 2}, {2, A{1, 2}}, {3, "x"}}; for (auto &[k, v] : m) printf("%d:%d ", k, v.w); std::vector<A> v{1, 2.0, {1, 2}}; std::vector<std::pair<A, B>> vp{{1, 2L}, {"x", A()}}; printf("%d %d %d %d %d\n", v[0].w, v[1].w, v[2].w, vp[0].second.w, vp[1].second.w);
    printf("%d %d %d %d\n", take(1), take({1}), take2(A()), take2(&i)); return 0;
}
