// Templates with every kind of argument: types, values, pointers to objects and members, templates, packs;
// specialisations, deduction guides, variable and alias templates, folds, `if constexpr`, SFINAE, CRTP.
#include <cstdio>
#include <type_traits>
#include <utility>

template <class T, T... Values> struct Sequence {
    static constexpr int count = sizeof...(Values);
    static constexpr T sum = (Values + ... + T(0));
    template <class F> static void each(F f) { (f(Values), ...); }
};
template <template <class, int> class Holder, class T> struct Uses { Holder<T, 3> held; };
template <class T, int N> struct Fixed {
    T data[N] = {};
    constexpr int size() const { return N; }
    T& operator[](int i) { return data[i]; }
};
template <class T> struct Fixed<T*, 1> { T* only; constexpr int size() const { return -1; } };
template <> struct Fixed<bool, 8> { unsigned char bits = 0; constexpr int size() const { return 1; } };
template <class T, class... R> Fixed(T, R...) -> Fixed<T, 1 + sizeof...(R)>;

int counter = 5;
template <int* P> int bump() { return ++*P; }
struct Point { int x, y; int sum() const { return x + y; } };
template <auto Member> struct Getter { static auto get(const Point& p) { return p.*Member; } };
template <int (*F)(int)> int twice(int x) { return F(F(x)); }
static int add_three(int x) { return x + 3; }
template <int (Point::*M)() const> int call(const Point& p) { return (p.*M)(); }

template <class T> constexpr bool is_small = sizeof(T) <= 2;
template <class T> using Plain = std::remove_cv_t<std::remove_reference_t<T>>;

template <class T> const char* describe(T&& t)
{
    if constexpr (std::is_lvalue_reference_v<T>) return std::is_const_v<std::remove_reference_t<T>> ? "const lvalue" : "lvalue";
    else if constexpr (is_small<Plain<T>>) return "small rvalue";
    else return "rvalue";
}
template <class T> auto length(const T& t) -> decltype(t.size()) { return t.size(); }
int length(...) { return 0; }

template <class D> struct Counted {
    static inline int alive = 0;
    Counted() { alive++; }
    Counted(const Counted&) { alive++; }
    ~Counted() { alive--; }
    const char* name() const { return static_cast<const D*>(this)->own_name(); }
};
struct A : Counted<A> { const char* own_name() const { return "A"; } };
struct B : Counted<B> { const char* own_name() const { return "B"; } };

template <class... Bases> struct All : Bases... {
    template <class... T> All(T... t) : Bases{t}... {}
    int total() const { return (Bases::value() + ...); }
};
struct One { int n; int value() const { return n; } };
struct Two { int n; int value() const { return 10 * n; } };

template <class T> T largest(T t) { return t; }
template <class T, class... R> T largest(T t, R... r) { T o = largest<T>(r...); return o > t ? o : t; }
template <class F, class... T> decltype(auto) invoke(F&& f, T&&... t) { return std::forward<F>(f)(std::forward<T>(t)...); }
template <int N> struct Fib { enum { value = Fib<N - 1>::value + Fib<N - 2>::value }; };
template <> struct Fib<0> { enum { value = 0 }; };
template <> struct Fib<1> { enum { value = 1 }; };
constexpr int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }

template <class T, std::size_t... I> int dot(const T& a, const T& b, std::index_sequence<I...>) { return ((a.data[I] * b.data[I]) + ...); }

namespace outer { namespace inner { struct X { int v; }; int adl(X x) { return x.v; } } inline namespace v2 { int version() { return 2; } } }

int main()
{
    using S = Sequence<int, 4, 5, 6>;
    int shown = 0;
    S::each([&](int v) { shown = shown * 10 + v; });
    std::printf("%d %d %d\n", S::count, S::sum, shown);
    Uses<Fixed, double> uses;
    Fixed deduced{1, 2, 3, 4};
    Fixed<int*, 1> pointer{&counter};
    std::printf("%d %d %d %d\n", uses.held.size(), deduced.size(), pointer.size(), Fixed<bool, 8>().size());
    const int bumped = bump<&counter>();
    std::printf("%d %d\n", bumped, *pointer.only);
    Point p{3, 4};
    std::printf("%d %d %d %d\n", Getter<&Point::x>::get(p), Getter<&Point::y>::get(p), twice<add_three>(1), call<&Point::sum>(p));
    int l = 0;
    const long c = 0;
    std::printf("%s, %s, %s, %s\n", describe(l), describe(c), describe((short)1), describe(2.5));
    std::printf("%d %d\n", (int)length(deduced), (int)length(3));
    {
        A a, b = a;
        B other;
        std::printf("%d %d %s%s\n", A::alive, B::alive, b.name(), other.name());
    }
    std::printf("%d\n", A::alive);
    All<One, Two> all(3, 4);
    std::printf("%d %d %g\n", all.total(), largest(3, 9, 4), largest(1.5, 0.5));
    std::printf("%d %d %d\n", invoke([](int a, int&& b) { return a - b; }, 9, 4), (int)Fib<20>::value, gcd(1071, 462));
    int many[gcd(12, 18)];
    std::printf("%zu %d\n", sizeof many / sizeof many[0], dot(deduced, deduced, std::make_index_sequence<4>()));
    std::printf("%d %d\n", adl(outer::inner::X{6}), outer::version());
    return 0;
}
