// Members of classes of the library whose default constructors are templates.
#include <cstdio>
#include <tuple>
#include <array>
#include <optional>
#include <variant>
#include <map>
#include <functional>
#include <memory>
struct A { int k = 3; };
struct H { std::tuple<int, A, double> t; std::pair<int, A> p; std::optional<int> o; std::variant<int, A> v; std::map<int, int> m; std::function<int()> f; std::unique_ptr<int> u; std::shared_ptr<A> s; };
int main() { H h; printf("%d %d %g %d %d %d %d %zu %d\n", std::get<0>(h.t), std::get<1>(h.t).k, std::get<2>(h.t), h.p.first, h.p.second.k, h.o.has_value(), std::get<0>(h.v), h.m.size(), !h.f && !h.u && !h.s);
 H *a = new H[2]; printf("%d %d\n", std::get<0>(a[1].t), a[1].p.first); delete[] a; std::tuple<int, int> arr[2]; printf("%d\n", std::get<1>(arr[1])); auto t2 = h.t; H h2; h2.t = h.t; h2.p = h.p; printf("%d\n", std::get<1>(h2.t).k); return 0; }
