// Virtual functions, friends, operators, templates, overloads, pointers to members, in short.
#include <cstdio>
#include <string>
#include <vector>
#include <memory>
#include <typeinfo>
#include <functional>
#include <type_traits>
#include <initializer_list>
#include <utility>
#include <map>
struct Shape {
    virtual double area() const = 0;
    virtual ~Shape() = default;
    virtual Shape* clone() const = 0;
    virtual void scale(double k = 2) {
        printf("base scale %g\n", k);
    }
    void nonvirt() const {
        printf("%g\n", area());
    }
};
struct Circle : Shape {
    double r;
    explicit Circle(double r) : r(r) {
    }
    double area() const override {
        return 3 * r * r;
    }
    Circle* clone() const override {
        return new Circle(*this);
    }
    void scale(double k = 5) override {
        r *= k;
        printf("circle %g\n", k);
    }
};
struct Named {
    std::string n;
    Named(std::string n) : n(std::move(n)) {
    }
    virtual ~Named() {
        printf("~Named %s\n", n.c_str());
    }
    virtual std::string name() const {
        return n;
    }
};
struct NamedCircle final : Circle, Named {
    NamedCircle(double r, std::string n) : Circle(r), Named(std::move(n)) {
    }
    double area() const override {
        return Circle::area() + 1;
    }
    std::string name() const override {
        return "nc " + Named::name();
    }
    NamedCircle* clone() const override {
        return new NamedCircle(*this);
    }
};
template <class D> struct Crtp {
    void call() {
        static_cast<D*>(this)->impl();
    }
    int count() {
        return static_cast<D&>(*this).n;
    }
};
struct Impl : Crtp<Impl> {
    int n = 4;
    void impl() {
        printf("impl %d\n", n);
    }
};
struct A {
    A() {
        init();
    }
    virtual void init() {
        puts("A init");
    }
    virtual ~A() {
        init();
    }
};
struct B : A {
    B() {
        init();
    }
    void init() override {
        puts("B init");
    }
    ~B() {
        init();
    }
};
class Secret {
    int x = 42;
    friend int peek(const Secret&);
    friend class Spy;
    protected:
    int prot() {
        return x + 1;
    }
};
int peek(const Secret& s) {
    return s.x;
}
class Spy {
    public:
    static int look(const Secret& s) {
        return s.x * 2;
    }
};
struct Open : Secret {
    using Secret::prot;
};
struct Hide {
    void f(int) {
        puts("int");
    }
    void f(double) {
        puts("double");
    }
};
struct Hider : Hide {
    using Hide::f;
    void f(const char*) {
        puts("str");
    }
};
struct Hider2 : Hide {
    void f(double) {
        puts("hidden");
    }
};
struct Ptr {
    int v;
    Ptr* operator->() {
        return this;
    }
    int& operator*() {
        return v;
    }
    Ptr& operator++() {
        ++v;
        return *this;
    }
    Ptr operator++(int) {
        Ptr o = *this;
        ++v;
        return o;
    }
    int operator[](int i) const {
        return v * i;
    }
    int operator()(int a, int b = 10) const {
        return a + b + v;
    }
    bool operator!() const {
        return v == 0;
    }
    operator int() const {
        return v;
    }
    Ptr operator-() const {
        return {-v};
    }
    Ptr& operator+=(int k) {
        v += k;
        return *this;
    }
    bool operator==(const Ptr& o) const {
        return v == o.v;
    }
    friend Ptr operator+(Ptr a, Ptr b) {
        return {a.v + b.v};
    }
    void* operator new(size_t n) {
        puts("op new");
        return ::operator new(n);
    }
    void operator delete(void* p) {
        puts("op delete");
        ::operator delete(p);
    }
    Ptr operator,(const Ptr& o) {
        return {v * 100 + o.v};
    }
};
template <class T> struct Traits {
    static const char* name() {
        return "gen";
    }
};
template <class T> struct Traits<T*> {
    static const char* name() {
        return "ptr";
    }
};
template <> struct Traits<int> {
    static const char* name() {
        return "int";
    }
};
template <class T, size_t N> struct Traits<T[N]> {
    static const char* name() {
        return "arr";
    }
};
template <class R, class... A> struct Traits<R(A...)> {
    static const char* name() {
        static std::string s = "fn" + std::to_string(sizeof...(A));
        return s.c_str();
    }
};
template <class T, class = void> struct HasSize : std::false_type {
};
template <class T> struct HasSize<T, std::void_t<decltype(std::declval<T>().size())>> : std::true_type {
};
template <class T> std::enable_if_t<std::is_integral_v<T>, const char*> sf(T) {
    return "integral";
}
template <class T> std::enable_if_t<!std::is_integral_v<T>, const char*> sf(T) {
    return "not";
}
template <int N, class T = int> constexpr T power(T b) {
    if constexpr (N == 0) return 1;
    else return b * power<N - 1, T>(b);
}
template <auto V> auto val() {
    return V;
}
template <class T> T pi = T(3.14159265358979);
template <class... T> struct List {
    static constexpr size_t n = sizeof...(T);
};
template <class T> using Vec = std::vector<T>;
template <class T> struct Outer {
    template <class U> struct In {
        T t;
        U u;
    };
    template <class U> U conv(T t);
};
template <class T> template <class U> U Outer<T>::conv(T t) {
    return U(t);
}
struct Lit {
    constexpr Lit(int a, int b) : a(a), b(b) {
    }
    int a, b;
    constexpr int sum() const {
        return a + b;
    }
};
constexpr Lit lit{3, 4};
static_assert(lit.sum() == 7);
int garr[lit.sum()];
namespace {
    int hidden = 5;
}
static int counter() {
    static int n = 0;
    return ++n;
}
extern "C" int cfun(int x) {
    return x + 1;
}
int over(int&) {
    return 1;
}
int over(const int&) {
    return 2;
}
int over(int&&) {
    return 3;
}
template <class T> int fwd(T&& t) {
    return over(std::forward<T>(t));
}
int dflt(int a, int b = counter(), int c = garr[0] + 7) {
    return a * 100 + b * 10 + c;
}
int main() {
    std::vector<std::unique_ptr<Shape>> v;
    v.emplace_back(new Circle(1));
    v.emplace_back(std::make_unique<NamedCircle>(2, "big"));
    for (auto& s : v) {
        s->nonvirt();
        Shape& r = *s;
        r.scale();
        if (auto* n = dynamic_cast<Named*>(s.get())) printf("%s\n", n->name().c_str());
        std::unique_ptr<Shape> c(s->clone());
        printf("%g %d\n", c->area(), typeid(*c) == typeid(Circle));
    }
    Impl i;
    i.call();
    printf("%d\n", i.count());
    {
        B b;
    }
    Secret s;
    Open o;
    printf("%d %d %d\n", peek(s), Spy::look(s), o.prot());
    Hider h;
    h.f(1);
    h.f(1.5);
    h.f("x");
    Hider2 h2;
    h2.f(1);
    Ptr p{3};
    p->v = 4;
    *p += 1;
    ++p;
    Ptr old = p++;
    printf("%d %d %d %d %d %d %d\n", p.v, old.v, p[2], p(1), !p, int(-p), (p + Ptr{2}).v);
    Ptr* np = new Ptr{1};
    delete np;
    Ptr cm = (Ptr{1}, Ptr{2});
    printf("%d %d\n", cm.v, p == Ptr{7});
    printf("%s %s %s %s %s\n", Traits<double>::name(), Traits<int*>::name(), Traits<int>::name(), Traits<char[3]>::name(), Traits<void(int, char)>::name());
    printf("%d %d %s %s\n", HasSize<std::string>::value, HasSize<int>::value, sf(1), sf(1.0));
    printf("%d %g %c %g %zu\n", power<5>(2), power<2>(1.5), val<'x'>(), pi<double>, List<int, char>::n);
    Vec<int> vi{1, 2};
    Outer<int>::In<char> in{1, 'c'};
    printf("%zu %c %g\n", vi.size(), in.u, Outer<int>().conv<double>(7));
    int x = 1;
    const int cx = 2;
    printf("%d%d%d%d%d\n", fwd(x), fwd(cx), fwd(3), over(std::move(x)), fwd(std::as_const(x)));
    printf("%d %d %d\n", cfun(hidden), dflt(1), dflt(1, 2));
    printf("%d\n", dflt(2));
    int (*fp)(int) = cfun;
    int (&fr)(int) = *fp;
    printf("%d %d\n", fp(1), fr(2));
    double Circle::*mp = &Circle::r;
    Circle c2(9);
    printf("%g\n", c2.*mp);
    void (Hide::*mf)(int) = &Hide::f;
    (h.*mf)(0);
    std::function<double(const Circle&)> fa = &Circle::area;
    printf("%g\n", fa(c2));
    auto bound = std::bind(&dflt, std::placeholders::_2, 5, std::placeholders::_1);
    printf("%d\n", bound(1, 2));
    std::map<std::string, std::function<int(int, int)>> ops{
        {
            "+", std::plus<int>()
        }
        , {"-", [](int a, int b) { return a - b; }}, {"max", [](int a, int b) { return std::max(a, b); }}
    };
    for (auto& [k, f] : ops) printf("%s %d ", k.c_str(), f(7, 3));
    puts("");
    auto counter2 = [n = 0]() mutable {
        return ++n;
    };
    auto copy = counter2;
    counter2();
    int k1 = counter2(), k2 = copy();
    printf("%d %d\n", k1, k2);
    struct Local {
        int a;
        int twice() const {
            return a * 2;
        }
    }
    loc{21};
    printf("%d\n", loc.twice());
    enum { X = 3, Y };
    printf("%d\n", Y);
    try {
        throw Circle(3);
    } catch (const Shape& sh) {
        printf("%g\n", sh.area());
    }
    try {
        Shape* z = nullptr;
        (void)typeid(*z);
    } catch (const std::bad_typeid& e) {
        puts("bad typeid");
    }
    try {
        Named n("n");
        (void)dynamic_cast<Circle&>(n);
    } catch (const std::bad_cast& e) {
        printf("%s\n", e.what());
    }
}
