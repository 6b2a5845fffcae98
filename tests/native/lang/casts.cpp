// Casts to references and to values, by names of types too.
#include <cstdio>
#include <utility>
struct B {
    int x = 1;
};
struct D : B {
    int y = 2;
};
template <class T, class U> void set(U& u, int v) {
    static_cast<T>(u) = v;
}
template <class T, class U> void cset(U& u, int v) {
    (T)u = v;
}
template <class T> T fwd(std::remove_reference_t<T>& t) {
    return static_cast<T>(t);
}
typedef int& IR;
using DR = D&;
template <class T> struct W {
    T t;
    T get() {
        return static_cast<T>(t);
    }
};
int& next() {
    static int k = 0;
    return ++k, k;
}
#define REF(T) T&
int main() {
    int a = 1;
    set<int&>(a, 5);
    printf("%d\n", a);
    cset<int&>(a, 6);
    printf("%d\n", a);
    static_cast<IR>(a) = 7;
    printf("%d\n", a);
    ((IR)a)++;
    printf("%d\n", a);
    D d;
    B& b = d;
    static_cast<DR>(b).y = 9;
    printf("%d\n", d.y);
    DR r = static_cast<DR>(b);
    r.y = 4;
    printf("%d\n", d.y);
    static_cast<REF(D)>(b).y = 3;
    printf("%d\n", d.y);
    int& f = fwd<int&>(a);
    f = 11;
    printf("%d\n", a);
    W<int&> w{a};
    w.get() = 12;
    printf("%d\n", a);
    W<int> v{a};
    int g = v.get();
    g = 0;
    printf("%d %d\n", a, g);
    static_cast<IR>(next()) = 40;
    printf("%d\n", next());
    D copy = static_cast<D>(d);
    copy.y = 99;
    printf("%d\n", d.y);
    B sl = static_cast<B>(d);
    sl.x = 5;
    printf("%d\n", d.x);
    float q = static_cast<float>(a);
    q += 1;
    printf("%d %g\n", a, q);
    const float& cf = static_cast<const float&>(a);
    printf("%g\n", cf);
    const float& cg = static_cast<float>(a);
    printf("%g\n", cg);
    long&& ll = static_cast<long>(a);
    ll = 3;
    printf("%d\n", a);
    int&& mv = static_cast<int&&>(a);
    mv = 21;
    printf("%d\n", a);
    int&& pv = static_cast<int>(a);
    pv = 0;
    printf("%d\n", a);
    (void)a;
    static_cast<void>(a);
    enum E { e1 = 3 };
    E e = e1;
    const int& ei = static_cast<int>(e);
    printf("%d\n", ei);
    unsigned& u = (unsigned&)a;
    u = 8;
    printf("%d\n", a);
    using UR = unsigned&;
    ((UR)a) = 9u;
    printf("%d\n", a);
}
