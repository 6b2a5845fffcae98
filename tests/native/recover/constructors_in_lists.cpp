// Which constructor an element of a list calls: enumerations, types of one size, references, bases, `...`.
#include <cstdio>

enum Plain { one = 1 };
enum class Scoped { two = 2 };
struct E {
    int k;
    E(int) : k(1) {}
    E(Plain) : k(2) {}
    E(Scoped) : k(3) {}
};
struct W {
    int k;
    W(long) : k(1) {}
    W(long long) : k(2) {}
    W(unsigned long) : k(3) {}
};
struct C {
    int k;
    C(signed char) : k(1) {}
    C(int) : k(2) {}
};
struct F {
    int k;
    F(int) : k(1) {}
    F(double) : k(2) {}
    F(...) : k(3) {}
};
struct A {};
struct B : A {};
struct D : B {};
struct L {
    int k;
    L(A&) : k(1) {}
    L(const B&) : k(2) {}
    L(void*) : k(3) {}
    L(const void*) : k(4) {}
};
template <class T, int N> void print(const T (&list)[N])
{
    for (const T& x : list) std::printf("%d ", x.k);
    std::puts("");
}

int main()
{
    E e[] = {1, one, Scoped::two};
    print(e);
    W w[] = {1L, 2LL, 3UL};
    print(w);
    C c[] = {'a', (signed char)1, 2};
    print(c);
    F f[] = {1, 1.0f, one, 'x', "s"};
    print(f);
    D d;
    const D cd{};
    A a;
    int n = 0;
    const int cn = 0;
    L l[] = {a, cd, D(), &n, &cn};
    print(l);
    (void)d;
}
