// Constructors, inherited or called by lists, that differ in enumerations, qualifiers, kinds of references and characters.
#include <cstdio>
#include <initializer_list>
enum class Red { x };
enum class Blue { x };
enum Plain { plain };
struct X { int v; };
struct Base {
    int made;
    Base(Red) : made(1) {}
    Base(Blue) : made(2) {}
    Base(int) : made(3) {}
    Base(Plain) : made(4) {}
    Base(X &) : made(5) {}
    Base(X &&) : made(6) {}
    Base(const X &) : made(7) {}
    Base(long) : made(8) {}
    Base(long long) : made(9) {}
    Base(char16_t) : made(10) {}
    Base(unsigned short) : made(11) {}
    Base(wchar_t) : made(12) {}
    Base(int *) : made(13) {}
    Base(const int *) : made(14) {}
    Base(Red, Blue) : made(15) {}
    Base(Blue, Red) : made(16) {}
    template <class T> Base(T *, T) : made(17) {}
};
struct Derived : Base { using Base::Base; };
struct Further : Derived { using Derived::Derived; int more = 3; };
struct Pair { Base a; Base b; };

template <class T> void show()
{
    X x{1};
    const X c{2};
    int n = 0;
    const int k = 0;
    T all[] = {T(Red::x), T(Blue::x), T(3), T(plain), T(x), T(X{}), T(c), T(3L), T(3LL), T(u'a'), T((unsigned short)3),
               T(L'a'), T(&n), T(&k), T(Red::x, Blue::x), T(Blue::x, Red::x), T(&n, 3)};
    for (auto &t : all)
        printf("%d ", t.made);
    T lists[] = {Red::x, Blue::x, plain, x, c, X{}, 'a', 3L, 3LL, u'a', &n, &k, {Red::x, Blue::x}, {Blue::x, Red::x}};
    for (auto &t : lists)
        printf("%d ", t.made);
    puts("");
}

static Base give(bool b)
{
    if (b)
        return {Red::x, Blue::x};
    return {Blue::x, Red::x};
}
static int sum(std::initializer_list<Base> list)
{
    int n = 0;
    for (auto &b : list)
        n = n * 20 + b.made;
    return n;
}

int main()
{
    show<Base>();
    show<Derived>();
    show<Further>();
    Pair p{Red::x, Blue::x}, q = {{Blue::x, Red::x}, plain};
    printf("%d %d %d %d\n", p.a.made, p.b.made, q.a.made, q.b.made);
    printf("%d %d %d\n", give(true).made, give(false).made, sum({Red::x, Blue::x, {Blue::x, Red::x}}));
    return 0;
}
