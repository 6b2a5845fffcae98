// `T()` of scalar types, in templates, default arguments and members, beside the line of a call.
#include <cstdio>
template <class T> T val() { return T(); }
struct P { const char *p = nullptr; int n = 3; };
enum E { A, B };
template <class T> struct Box { T t = T(); T u; Box() : u(T()) {} };
const char *text(const char *p = val<const char *>()) { return p ? p : "none"; }
int sum(unsigned a = unsigned(), unsigned b = 4u) { return a + b; }
struct Q { unsigned z = unsigned(); };
typedef unsigned Count;
struct R { Count z = Count(); Count n = Count(7); };
int named(Count a = Count(), int b = 1) { return a + b; }
int main() {
    struct Local { int k = 5; unsigned z = unsigned(3); } l;
    std::printf("%d %d %d\n", val<const char *>() == nullptr, val<E>(), val<int P::*>() == nullptr);
    Box<const char *> b; Box<unsigned> c; Box<char *> d;
    std::printf("%d %d %u %u %d\n", b.t == nullptr, b.u == nullptr, c.t, c.u, d.t == d.u);
    std::printf("%s %d %u %d %u\n", text(), sum(), Q{}.z, l.k, l.z);
    auto f = [](unsigned x = unsigned(), const char *p = "lambda") { std::printf("%u %s\n", x, p); };
    f();
    std::printf("%u %u %d\n", R{}.z, R{}.n, named());
    std::printf("%d\n", __builtin_LINE());
}
