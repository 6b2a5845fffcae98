// Packs that lambdas capture: by value, by reference, by default and in lists.
#include <cstdio>
#include <string>
#include <tuple>
#include <utility>
#include <functional>
#include <vector>
template <class... A> int by_value(A... rest) {
    auto f = [=] { return (0 + ... + rest); };
    return f();
}
template <class... A> int by_list(A... rest) {
    auto f = [rest...] { return (0 + ... + rest); };
    return f();
}
template <class... A> int by_ref(A&... rest) {
    auto f = [&] { ((rest *= 2), ...); return (0 + ... + rest); };
    return f();
}
template <class... A> int by_ref_list(A... rest) {
    auto f = [&rest...] { ((rest += 1), ...); };
    f();
    return (0 + ... + rest);
}
template <class... A> void print_all(const A&... rest) {
    auto one = [](const auto& x) { if constexpr (std::is_same_v<std::decay_t<decltype(x)>, std::string>) printf("s:%s ", x.c_str()); else printf("%g ", double(x)); };
    auto f = [&] { (one(rest), ...); puts(""); };
    f();
    auto g = [&one, rest...] { (one(rest), ...); puts("."); };
    g();
    auto h = [=, &one] { (one(rest), ...); puts("!"); };
    h();
}
template <class F, class... A> auto bind_front(F f, A&&... a) {
    return [f, t = std::make_tuple(std::forward<A>(a)...)](auto&&... more) {
        return std::apply([&](const auto&... bound) { return f(bound..., more...); }, t);
    };
}
template <class... F> struct overloaded : F... {
    using F::operator()...;
};
template <class... F> overloaded(F...) -> overloaded<F...>;
template <int... I, class... A> int weigh(std::integer_sequence<int, I...>, A... a) {
    return [&](int k) {
        return ((I * a * k) + ...);
    }
    (3);
}
template <class... A> auto nested(A... a) {
    return [=](int k) {
        auto inner = [=] { return ((a * k) + ...); };
        return inner() + sizeof...(a);
    };
}
template <class... A> std::vector<std::function<int()>> makers(A... a) {
    std::vector<std::function<int()>> v;
    (v.push_back([a] { return a * a; }), ...);
    return v;
}
template <class T, class... R> int mixed(T first, R... rest) {
    int k = 2;
    const int c = 5;
    auto f = [first, &k, rest...]() mutable {
        k += c;
        first += k;
        return first + (rest + ... + 0);
    };
    int a = f();
    int b = f();
    return a * 1000 + b + k;
}
int main() {
    printf("%d %d\n", by_value(1, 2, 3), by_value());
    printf("%d %d\n", by_list(1, 2, 3), by_list(7));
    int a = 1, b = 2, c = 3;
    int s = by_ref(a, b, c);
    printf("%d %d %d %d\n", s, a, b, c);
    printf("%d\n", by_ref_list(1, 2, 3));
    print_all(1, 2.5, std::string("hello"), 'a');
    auto g = bind_front([](int x, int y, int z) { return x * 100 + y * 10 + z; }, 1, 2);
    printf("%d\n", g(3));
    overloaded o{[](int) { return 1; }, [](double) { return 2; }, [](const char*) { return 3; }};
    printf("%d %d %d\n", o(1), o(1.0), o(""));
    printf("%d\n", weigh(std::integer_sequence<int, 1, 2, 3>(), 4, 5, 6));
    printf("%d\n", (int)nested(1, 2, 3)(10));
    for (auto& f : makers(1, 2, 3)) printf("%d ", f());
    printf("%d\n", mixed(1, 2, 3));
}
