// std: c++20
// Aggregates made with parentheses.
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>
struct A { int a; std::string s = "def"; double d = 2.5; }; struct B : A { int k; }; struct R { const std::string& r; };
template <class T, class... U> T mk(U&&... u) { return T(std::forward<U>(u)...); }
int main() { A x(1), y(2, "two"), z(3, std::string("three"), 1.5); std::printf("%d %s %g|%s %g|%g\n", x.a, x.s.c_str(), x.d, y.s.c_str(), y.d, z.d); A* p = new A(4, "p"); std::printf("%s\n", p->s.c_str()); delete p; int arr[3](1, 2); std::printf("%d %d\n", arr[1], arr[2]); B b(A(5), 6); std::printf("%d %d %s\n", b.a, b.k, b.s.c_str()); std::vector<A> v; v.emplace_back(7, "em"); v.emplace_back(8); std::printf("%s %s\n", v[0].s.c_str(), v[1].s.c_str()); auto u = std::make_unique<A>(9, "u"); std::optional<A> o(std::in_place, 1, "o"); std::printf("%s %s %g\n", u->s.c_str(), o->s.c_str(), mk<A>(1, "m", 4.0).d); R r(x.s); std::printf("%s\n", r.r.c_str()); auto t = static_cast<A>(3); std::printf("%d\n", t.a); }
