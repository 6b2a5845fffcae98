// std: c++20
// Default constructors and comparisons that the compiler calls or writes; which operators a range-for calls.
#include <cstdio>
#include <utility>
#include <compare>
#include <memory>
#include <new>
#include <cstdlib>
struct Any { template <class... T> Any(T &&...) { printf("Any %zu\n", sizeof...(T)); } };
struct Def { template <class T = int> Def(T t = T(3)) { printf("Def %d\n", (int)t); } };
struct Both { Both() { puts("Both()"); } template <class... T> Both(T &&...) { puts("Both T"); } };
struct HasAny { Any a; Both b; Def d; int k = 4; }; struct FromAny : Any, virtual Both { Any arr[2]; };
namespace cmp {
struct A { int v; friend bool operator==(const A &a, const A &b) { puts("friend =="); return a.v == b.v; } };
struct B { int v; template <class T> bool operator==(const T &o) const { puts("member template =="); return v == o.v; } };
struct C { int v; }; bool operator==(const C &a, const C &b) { puts("free =="); return a.v == b.v; }
struct D { int v; bool operator==(D o) const { puts("by value =="); return v == o.v; } };
struct E { int v; operator int() const { puts("to int"); return v; } };
struct F { int v; bool operator==(const F &) const = default; auto operator<=>(const F &o) const { puts("F<=>"); return v <=> o.v; } };
struct G { int v; bool operator<(const G &o) const { puts("G<"); return v < o.v; } bool operator==(const G &o) const { puts("G=="); return v == o.v; } };
struct All { A a; B b; C c; D d; E e; F f; bool operator==(const All &) const = default; };
struct Ord { F f[2]; E e; auto operator<=>(const Ord &) const = default; };
struct Der : A { int w; bool operator==(const Der &) const = default; };
}
struct It { int i; int operator*() { return i; } int operator*() const { puts("* const"); return i; } It &operator++() { ++i; return *this; } It operator++(int) { puts("post"); return *this; } bool operator!=(const It &o) const { return i != o.i; } bool operator!=(int) const { puts("!= int"); return false; } };
struct End { int e; }; bool operator!=(const It &a, const End &b) { puts("free !="); return a.i != b.e; }
struct It2 { int i; int operator*() const { return i; } It2 &operator++() { ++i; return *this; } bool operator==(const It2 &o) const { return i == o.i; } };
struct R1 { It begin() const { return {0}; } It end() const { return {2}; } }; struct R2 { It begin() { return {0}; } End end() { return {2}; } }; struct R3 { It2 begin() { return {0}; } It2 end() { return {2}; } };
struct Del2 { static void operator delete(void *p) { puts("plain"); free(p); } static void operator delete(void *p, std::size_t n) { puts("sized"); free(p); } static void *operator new(size_t n) { return malloc(n); } };
struct Par { int n; Par(int n) : n(n) {} Par(const Par &o) : n(o.n) { puts("Par copy"); } Par(Par &&o) : n(o.n) { puts("Par move"); } };
struct Ba { int s; Ba(Par a, const Par &b, Par &&c) : s(a.n + b.n + c.n) {} }; struct In : Ba { using Ba::Ba; };
int main() {
  HasAny h; FromAny f; Any *an = new Any[2]; delete[] an; Any z{}; HasAny h2{};
  cmp::All a{{1}, {2}, {3}, {4}, {5}, {6}}, b = a; printf("%d\n", a == b); printf("%d\n", a != b);
  cmp::Ord o{{{1}, {2}}, {3}}, p{{{1}, {3}}, {3}}; printf("%d %d\n", o < p, o == p); cmp::Der d{{1}, 2}, e{{1}, 3}; printf("%d\n", d == e);
  for (int i : R1()) printf("%d\n", i); for (int i : R2()) printf("%d\n", i); for (int i : R3()) printf("%d\n", i);
  delete new Del2;
  Par q(1); In in(q, q, Par(2)); printf("%d\n", in.s);
  return 0;
}
