// typeid and dynamic_cast: up, down, across, to void*, references, failing, private and ambiguous bases.
#include <cstdio>
#include <cstring>
#include <typeinfo>

struct A { virtual ~A() {} int a = 1; virtual int id() const { return 1; } };
struct B { virtual ~B() {} int b = 2; virtual int other() const { return 20; } };
struct C : A, B { int c = 3; int id() const override { return 3; } };
struct D : C { int d = 4; int id() const override { return 4; } };
struct E : A { int e = 5; };
struct F : C, E { int f = 6; int id() const override { return 6; } };
struct P : private A, public B {};
struct Plain { int x; };
struct DerivedPlain : Plain {};
namespace ns { struct In { virtual ~In() {} }; enum Kind { one }; template <class T> struct Box { T t; virtual ~Box() {} }; }
namespace { struct Hidden {}; }
template <class T> const char* name_of() { return typeid(T).name(); }
template <class T> const char* name_of_pointer() { return typeid(const T*).name(); }
template <class T> const std::type_info* address_of() { return &typeid(T); }
template <class T> const std::type_info* address_in_parentheses() { return &(typeid(T)); }
template <class T> struct Holder { const char* name() { return typeid(T).name(); } };
static int calls;
static A& touch(A& a) { ++calls; return a; }
static Plain& touch(Plain& p) { ++calls; return p; }
template <class T, class S> void show(const char* what, S* s) {
    T* t = dynamic_cast<T*>(s);
    printf("%s %s", what, t ? "yes" : "no");
    if (t) printf(" %s same=%d", typeid(*t).name(), dynamic_cast<void*>(t) == dynamic_cast<void*>(s));
    printf("\n");
}

int main() {
    A a; B b; C c; D d; E e; F f; P p;
    A* pa[] = {&a, &c, &d, &e, static_cast<C*>(&f), static_cast<E*>(&f), nullptr};
    for (A* x : pa) {
        show<C>("A to C", x); show<D>("A to D", x); show<B>("A to B", x); show<E>("A to E", x); show<F>("A to F", x); show<A>("A to A", x);
    }
    B* pb[] = {&b, &c, &d, &f, &p};
    for (B* x : pb) {
        show<A>("B to A", x); show<C>("B to C", x); show<D>("B to D", x); show<P>("B to P", x); show<F>("B to F", x);
        printf("%d\n", (int)((char*)dynamic_cast<void*>(x) - (char*)x));
    }
    const A* ca = &d;
    printf("%d\n", dynamic_cast<const D*>(ca)->d);
    for (int i = 0; i < 4; ++i) {
        try { D& r = dynamic_cast<D&>(*pa[i]); printf("D& %d\n", r.d); } catch (const std::bad_cast& e) { printf("%s\n", e.what()); }
        try { B& r = dynamic_cast<B&>(*pa[i]); printf("B& %d\n", r.b); } catch (const std::exception& e) { printf("%s\n", e.what()); }
    }
    printf("%s %s %s %s %s %s\n", typeid(int).name(), typeid(const int&).name(), typeid(unsigned char).name(), typeid(long long).name(), typeid(char*).name(), typeid(const char*).name());
    printf("%s %s %s %s %s\n", typeid(double).name(), typeid(long double).name(), typeid(bool).name(), typeid(void).name(), typeid(int* const*).name());
    printf("%s %s %s %s %s\n", typeid(A).name(), typeid(ns::In).name(), typeid(ns::one).name(), typeid(Plain).name(), typeid(A*).name());
    printf("%s %s %s\n", name_of<int>(), name_of<C>(), name_of<ns::Box<int>>());
    printf("%s %s %s\n", name_of_pointer<int>(), name_of_pointer<D>(), Holder<E>().name());
    printf("%s %s\n", name_of<int (*)(A&, const char*)>(), name_of<int C::*>());
    printf("%s %s %s\n", name_of<unsigned[3]>(), name_of<A* const>(), name_of<ns::Box<ns::Box<A*>>>());
    printf("%s %d %d\n", address_of<bool>()->name(), address_of<A>() == &typeid(A), address_of<A>() == address_of<B>());
    printf("%s %d\n", address_in_parentheses<ns::In>()->name(), address_in_parentheses<int>() == address_of<const int>());
    for (A* x : pa) if (x) printf("%s %d %d\n", typeid(*x).name(), typeid(*x) == typeid(C), typeid(*x) != typeid(A));
    printf("%s %s\n", typeid(pa[1]).name(), typeid(pa[1]->a).name());
    ns::Box<double> box; ns::Box<double>* pbox = &box;
    printf("%s\n", typeid(*pbox).name());
    A* null = nullptr;
    try { printf("%s\n", typeid(*null).name()); } catch (const std::bad_typeid& e) { printf("%s\n", e.what()); }
    DerivedPlain dp; Plain& rp = dp;
    printf("%s %d", typeid(touch(rp)).name(), calls); printf(" %s", typeid(touch(c)).name()); printf(" %d\n", calls);
    printf("%s %s %s\n", typeid(1 + 2.0).name(), typeid("text").name(), typeid(c.id()).name());
    printf("%d %d\n", typeid(Hidden) == typeid(Hidden), typeid(int) == typeid(unsigned));
    auto lambda = [](int x) { return x; };
    printf("%d\n", typeid(lambda) == typeid(lambda));
    const std::type_info& t1 = typeid(A); const std::type_info& t2 = typeid(B);
    printf("%d %d\n", t1.before(t2) != t2.before(t1), t1.before(t1));
    return 0;
}
