// Functions that take or give functions that are `noexcept`, and throw themselves.
#include <cstdio>
#include <tuple>
#include <initializer_list>
template <class T> void f(void (*g)() noexcept, T) noexcept(sizeof(T) == 1) { throw 5; }
template <class T> auto h(T) noexcept(sizeof(T) == 1) -> void (*)() noexcept { throw 6; }
static void quiet() noexcept {}
namespace user {
template <class T> struct initializer_list { T a, b; int size() const { return 2; } };
}
struct W { int n; W(user::initializer_list<int> l) : n(l.a + l.b) {} };
int sum(user::initializer_list<int> l) { return l.a + l.b; }
namespace lib { template <class T> struct tuple_element { T v; }; }
struct Q { lib::tuple_element<int> a; int b; };
struct std_like { struct std { int x; }; };
int main() {
    try { f(quiet, 1); } catch (int n) { printf("caught %d\n", n); }
    try { h(1); } catch (int n) { printf("caught %d\n", n); }
    W w{{1, 2}}; printf("%d %d\n", w.n, sum({3, 4}));
}
