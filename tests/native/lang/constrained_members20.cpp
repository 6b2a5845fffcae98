// std: c++20
// Special member functions that differ in their constraints.
#include <cstdio>
#include <string>
#include <type_traits>
template <class T> concept TC = std::is_trivially_copyable_v<T>;
template <class T> struct O { union { T v; char c; }; bool on = false; O() : c(0) {} O(T t) : v(t), on(true) {} O(const O&) requires TC<T> = default; O(const O& o) : c(0), on(o.on) { if (on) new (&v) T(o.v); std::printf("copy "); } O& operator=(const O&) requires TC<T> = default; O& operator=(const O& o) { std::printf("assign "); v = o.v; return *this; } ~O() requires TC<T> = default; ~O() { if (on) v.~T(); std::printf("~O "); } };
struct H { O<int> a{1}; O<std::string> b{std::string("str")}; };
int main() { { O<int> a(1), b = a; b = a; std::printf("%d ", b.v); } { O<std::string> a(std::string("x")), b = a; b = a; std::printf("%s ", b.v.c_str()); } { H h, g = h; g = h; std::printf("%d %s ", g.a.v, g.b.v.c_str()); } std::printf("\n"); }
