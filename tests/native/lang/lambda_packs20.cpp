// std: c++20
// Packs in init-captures, and bindings that lambdas capture.
#include <cstdio>
#include <string>
#include <utility>
#include <memory>
template <class... A> auto init_pack(A&&... a) {
    return [...rest = std::forward<A>(a)](auto&& f) {
        f(rest...);
    };
}
template <class... A> auto init_ref(A&... a) {
    return [&...rest = a] { ((rest += 10), ...); };
}
template <class F, class... A> auto later(F&& f, A&&... a) {
    return [f = std::forward<F>(f), ...a = std::forward<A>(a)]() mutable -> decltype(auto) {
        return f(std::move(a)...);
    };
}
auto templ = []<class T, int N>(T (&a)[N]) { T s{}; for (auto x : a) s += x; return s; };
int main() {
    init_pack(1, std::string("two"), 3.0)([](int a, const std::string& b, double c) { printf("%d %s %g\n", a, b.c_str(), c); });
    int x = 1, y = 2;
    init_ref(x, y)();
    printf("%d %d\n", x, y);
    auto l = later([](std::unique_ptr<int> p, std::string s) { return *p + (int)s.size(); }, std::make_unique<int>(40), std::string("ab"));
    printf("%d\n", l());
    double d[] = {1, 2, 3.5};
    printf("%g\n", templ(d));
    auto [p, q] = std::pair{1, 2};
    auto f = [=] { return p + q; };
    auto g = [&q = q, p] { q++; return p + q; };
    int x1 = f(), x2 = g();
    printf("%d %d %d\n", x1, x2, q);
}
