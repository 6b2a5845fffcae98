// The language's features, many of them, in short.
#include <cstdio>
#include <cmath>
#include <string>
#include <vector>
#include <functional>
#include <algorithm>
#include <memory>
#include <map>
#include <set>
#include <type_traits>
#include <initializer_list>
#include <stdexcept>
#include <cstring>
#include <array>
#include <limits>
inline namespace v1 {
    namespace deep::er {
        inline int counter = 3;
        inline int bump() {
            static int s = 10;
            return s++ + counter;
        }
    }
}
namespace alias = deep::er;
template <class T, std::size_t N> struct Buf {
    T d[N];
    constexpr std::size_t size() const {
        return N;
    }
    T& operator[](std::size_t i) {
        return d[i];
    }
    template <class... U> Buf(U... u) : d{
        T(u)...
    }
    {
    }
};
template <class T, class... U> Buf(T, U...) -> Buf<T, 1 + sizeof...(U)>;
template <class T> struct Wrap {
    T v;
    Wrap(T v) : v(v) {
    }
    template <class U> Wrap(const Wrap<U>& o) : v(o.v) {
    }
};
template <class... T> constexpr auto sum(T... t) {
    return (t + ... + 0);
}
template <class... T> constexpr bool all(T... t) {
    return (... && t);
}
template <class T, class... A> void push(std::vector<T>& v, A&&... a) {
    (v.push_back(std::forward<A>(a)), ...);
}
template <class T> std::string kind(T x) {
    if constexpr (std::is_pointer_v<T>) return "ptr";
    else if constexpr (std::is_integral_v<T>) {
        return "int";
    } else return "other";
}
constexpr long fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
constexpr auto table = [] { std::array<int, 10> a{}; for (int i = 0; i < 10; i++) a[i] = i * i; return a; }();
static_assert(fib(20) == 6765 && table[9] == 81);
template <int N> struct Fact {
    enum { value = N * Fact<N - 1>::value };
};
template <> struct Fact<0> {
    enum { value = 1 };
};
struct Base {
    virtual ~Base() {
        puts("~Base");
    }
    virtual std::string name() const {
        return "base";
    }
    int b = 1;
    Base(int b = 1) : b(b) {
    }
};
struct Derived : Base {
    using Base::Base;
    std::string name() const override {
        return "derived:" + Base::name();
    }
    ~Derived() override {
        puts("~Derived");
    }
};
struct Inh : std::vector<int> {
    using std::vector<int>::vector;
    int total() const {
        int t = 0;
        for (int x : *this) t += x;
        return t;
    }
};
template <class F> struct Defer {
    F f;
    ~Defer() {
        f();
    }
};
template <class F> Defer(F) -> Defer<F>;
class Matrix {
    std::vector<double> d;
    int n;
    public:
    Matrix(int n) : d(n * n), n(n) {
    }
    double& operator()(int i, int j) {
        return d[i * n + j];
    }
    double operator()(int i, int j) const {
        return d[i * n + j];
    }
    friend Matrix operator*(const Matrix& a, const Matrix& b) {
        Matrix c(a.n);
        for (int i = 0; i < a.n; i++) for (int j = 0; j < a.n; j++) for (int k = 0; k < a.n; k++) c(i, j) += a(i, k) * b(k, j);
        return c;
    }
    Matrix& operator+=(const Matrix& o) {
        std::transform(d.begin(), d.end(), o.d.begin(), d.begin(), std::plus<>());
        return *this;
    }
};
struct Celsius {
    double v;
    explicit operator double() const {
        return v;
    }
    operator bool() const {
        return v > 0;
    }
};
long double operator""_deg(long double d) {
    return d * 3.14159265358979L / 180;
}
unsigned long long operator""_kb(unsigned long long n) {
    return n * 1024;
}
std::string operator""_s(const char* p, std::size_t n) {
    return std::string(p, n);
}
union U {
    int i;
    float f;
    struct {
        short lo, hi;
    }
    s;
};
enum class Op : char { add = '+', mul = '*' };
enum Flags { A = 1, B = 2, C = A | B };
template <template <class...> class C, class T> auto make(std::initializer_list<T> l) {
    return C<T>(l);
}
struct Counter {
    static int live;
    Counter() {
        live++;
    }
    Counter(const Counter&) {
        live++;
    }
    Counter(Counter&&) noexcept {
        live++;
    }
    Counter& operator=(const Counter&) = default;
    ~Counter() {
        live--;
    }
};
int Counter::live = 0;
int apply(int (*f)(int), int x) {
    return f(x);
}
int (*choose(bool b))(int) {
    return b ? +[](int x) {
        return x + 1;
    }
    : +[](int x) {
        return x * 10;
    };
}
struct Node {
    int v;
    std::unique_ptr<Node> l, r;
};
void insert(std::unique_ptr<Node>& n, int v) {
    if (!n) n.reset(new Node{v, nullptr, nullptr});
    else insert(v < n->v ? n->l : n->r, v);
}
void walk(const std::unique_ptr<Node>& n, const std::function<void(int)>& f) {
    if (n) {
        walk(n->l, f);
        f(n->v);
        walk(n->r, f);
    }
}
struct Inner {
    Inner(int x) try : v(x > 5 ? throw std::out_of_range("big") : x) {
    } catch (const std::exception& e) {
        printf("ctor caught %s\n", e.what());
    }
    int v;
};
int main() {
    printf("%d ", alias::bump());
    printf("%d %d\n", v1::deep::er::bump(), deep::er::counter);
    Buf b{1, 2, 3};
    b[1] = 7;
    printf("%zu %d\n", b.size(), b[1]);
    Wrap w{2.5};
    Wrap<int> wi = w;
    printf("%d\n", wi.v);
    printf("%d %d %d\n", sum(1, 2, 3), sum(), all(true, 1, 3 > 2));
    std::vector<std::string> vs;
    push(vs, "a", std::string("b"));
    printf("%zu\n", vs.size());
    int x = 3;
    printf("%s %s %s\n", kind(&x).c_str(), kind(x).c_str(), kind(1.0).c_str());
    printf("%d %ld\n", Fact<5>::value, fib(15));
    {
        std::unique_ptr<Base> p = std::make_unique<Derived>(9);
        printf("%s %d\n", p->name().c_str(), p->b);
        Derived d;
        Base copy = d;
        printf("%s\n", copy.name().c_str());
    }
    Inh inh{1, 2, 3};
    Inh inh2(4, 5);
    printf("%d %d\n", inh.total(), inh2.total());
    {
        Defer d{[&] { printf("deferred %d\n", x); }};
        x = 8;
    }
    Matrix m(2), id(2);
    m(0, 1) = 3;
    m(1, 0) = 2;
    id(0, 0) = id(1, 1) = 1;
    Matrix q = m * m;
    q += id;
    printf("%g %g %g\n", q(0, 0), q(0, 1), q(1, 1));
    Celsius c{3.5};
    printf("%g %d %.4f %llu %s\n", double(c), c ? 1 : 0, double(180.0_deg), 4_kb, "lit"_s.c_str());
    U u;
    u.f = 1.0f;
    printf("%x %x\n", u.i, u.s.hi);
    Op op = Op::mul;
    switch (op) {
        case Op::add: puts("add");
        break;
        case Op::mul: puts("mul");
    }
    printf("%d\n", C & ~A);
    auto l = make<std::vector>({3, 1, 2});
    std::sort(l.begin(), l.end(), std::greater<>());
    printf("%d%d%d\n", l[0], l[1], l[2]);
    {
        std::vector<Counter> v(3);
        v.push_back(Counter());
        v.erase(v.begin());
        auto v2 = v;
        printf("%d\n", Counter::live);
    }
    printf("%d\n", Counter::live);
    printf("%d %d %d\n", apply(choose(true), 5), choose(false)(5), apply([](int x) { return -x; }, 4));
    std::unique_ptr<Node> root;
    for (int v : {5, 2, 8, 1, 9}) insert(root, v);
    walk(root, [](int v) { printf("%d ", v); });
    puts("");
    try {
        Inner i(9);
    } catch (const std::out_of_range& e) {
        printf("main caught %s\n", e.what());
    }
    try {
        try {
            throw std::runtime_error("a");
        } catch (...) {
            std::throw_with_nested(std::logic_error("b"));
        }
    } catch (const std::exception& e) {
        printf("%s", e.what());
        try {
            std::rethrow_if_nested(e);
        } catch (const std::exception& n) {
            printf(" nested %s\n", n.what());
        }
    }
    if (auto it = std::find(l.begin(), l.end(), 2); it != l.end()) printf("found %td\n", it - l.begin());
    switch (int k = x % 3; k) {
        case 2: puts("two");
        [[fallthrough]];
        case 1: puts("one");
        break;
        default:
        puts("none");
    }
    int arr[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int s = 0;
    for (auto& row : arr) for (int v : row) s += v;
    printf("%d\n", s);
    auto fact = [](auto self, int n) -> long {
        return n < 2 ? 1 : n * self(self, n - 1);
    };
    printf("%ld\n", fact(fact, 10));
    std::function<int(int)> rec = [&](int n) { return n < 2 ? n : rec(n - 1) + rec(n - 2); };
    printf("%d\n", rec(15));
    int i = 0;
    do {
        if (i == 2) continue;
        if (i == 4) break;
    } while (++i < 10);
    printf("%d\n", i);
    goto end;
    puts("skipped");
    end: printf("%s\n", __func__);
    decltype(auto) ref = (x);
    ref = 99;
    printf("%d\n", x);
    long long big = 1'000'000'007LL;
    printf("%lld %d %d\n", big, 0b1011, 017);
    const char* raw = R"(raw "str" \n)";
    puts(raw);
    printf("%zu %zu\n", alignof(double), sizeof(Derived));
    int* pa = new int[3]{1, 2};
    printf("%d\n", pa[2]);
    delete[] pa;
    alignas(32) char al[3];
    printf("%d\n", int(reinterpret_cast<std::uintptr_t>(al) % 32));
    auto pm = &Base::b;
    Base bb(4);
    printf("%d\n", bb.*pm);
    std::string (Base::*pf)() const = &Base::name;
    printf("%s\n", (bb.*pf)().c_str());
    return 0;
}
