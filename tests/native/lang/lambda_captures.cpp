// What default captures take: not what is only named, nor constants; packs beside `this`.
#include <cstdio>
#include <string>
struct Loud {
    int v;
    Loud(int v) : v(v) {
    }
    Loud(const Loud& o) : v(o.v) {
        printf("copy%d ", v);
    }
    ~Loud() {
    }
};
struct S {
    int k = 7;
    template <class... A> int f(A... a) {
        auto l = [a..., this] { return k + (a + ... + 0); };
        return l();
    }
    template <class... A> int g(A... a) {
        auto l = [this, a...] { return k + (a + ... + 0); };
        return l();
    }
    template <class... A> int h(A... a) {
        auto l = [=, *this]() mutable {
            k = 100;
            return k + (a + ... + 0);
        };
        return l() + k;
    }
    template <class... A> int i(A... a) {
        return [&] { k++; return ((a + k) + ... + 0); }();
    }
};
template <class... A> void two(int x, A... a) {
    auto l = [x, a..., y = x + 1] { return x + y + (a.v + ... + 0); };
    printf("%d\n", l());
    auto r = [=] { return (a.v + ...); };
    printf("%d\n", r());
    auto s = [=] { return (... + a.v); };
    printf("%d\n", s());
}
template <class... A> std::string cat(const A&... a) {
    std::string out;
    auto add = [&out](const std::string& s) { out += s; out += ';'; };
    auto all = [&] { (add(a), ...); };
    all();
    return out;
}
constexpr int N = 3;
template <int M> int unevaluated(int x, int y) {
    const int c = 4;
    constexpr double d = 2.5;
    static int st = 9;
    constexpr int arr[] = {1, 2, 3};
    auto l = [=] { (void)sizeof(x); return y * c + N + M + st + (int)d + arr[1]; };
    int z = 5;
    auto q = [&] { decltype(x) w = 3; z += w; (void)noexcept(x); return z + y; };
    return l() * 100 + q();
}
template <class... A> auto tree(A... a) {
    return [=](auto op) {
        return [=](int s) {
            return (op(a, s) + ...);
        };
    };
}
int main() {
    S s;
    printf("%d %d %d %d\n", s.f(1, 2), s.f(), s.g(1), s.g());
    printf("%d %d\n", s.h(1, 2), s.h());
    printf("%d\n", s.i(1, 2));
    printf("%d\n", s.k);
    two(1, Loud(2), Loud(3));
    two(4, Loud(5));
    printf("%s\n", cat("a", std::string("b"), "cc").c_str());
    printf("%d\n", unevaluated<6>(1, 2));
    printf("%d\n", tree(1, 2, 3)([](int a, int s) { return a * s; })(10));
}
