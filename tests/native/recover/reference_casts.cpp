// Casts to references of each kind of operand: what is written through them is written to the object.
#include <cstdio>
#include <string>
#include <utility>
struct S { static int shared; int own; int &ref; int bits : 4; S(int &r) : own(1), ref(r), bits(3) {} int &get() { return own; } S &self() { return *this; } };
int S::shared = 3;
template <class T> T var = T(7);
using R = int &;
using RR = int &&;
enum E { A, B };
int main() {
    int x = 1, y = 2;
    (int &)++x = 10; std::printf("%d\n", x);
    static_cast<int &>(--x) += 3; std::printf("%d\n", x);
    S s(y);
    (int &)s.shared = 5; std::printf("%d\n", S::shared);
    static_cast<int &>(s.ref) = 6; std::printf("%d\n", y);
    const_cast<int &>(s.get()) = 8; std::printf("%d\n", s.own);
    (unsigned &)s.self().own = 9; std::printf("%d\n", s.own);
    (int &)var<int> = 11; std::printf("%d\n", var<int>);
    (R(x)) = 12; std::printf("%d\n", x);
    int &&m = RR(x); m = 13; std::printf("%d\n", x);
    reinterpret_cast<unsigned &>(x) = 14u; std::printf("%d\n", x);
    (E &)x = B; std::printf("%d\n", x);
    (int &)(x, y) = 15; std::printf("%d\n", y);
    (int &)(x ? x : y) = 16; std::printf("%d\n", x);
    ((int &)(x = 3)) += 1; std::printf("%d\n", x);
    ((int &)(x += 3)) *= 2; std::printf("%d\n", x);
    int a[3] = {1, 2, 3};
    (int &)a[1] = 20; ((int (&)[3])a)[2] = 21; std::printf("%d %d\n", a[1], a[2]);
    (int &)*(a + 0) = 22; std::printf("%d\n", a[0]);
    auto [p, q, r] = a; (void)p; (void)r;
    (int &)q = 5; std::printf("%d\n", q);
    auto &[p2, q2, r2] = a; (void)p2; (void)r2; (int &)q2 = 6; std::printf("%d\n", a[1]);
    std::string t = "abc"; std::string u = static_cast<std::string &&>(t); std::printf("%s %zu\n", u.c_str(), t.size());
    int &&fresh = (int &&)5; fresh++; std::printf("%d\n", fresh);
    int &&fresh2 = static_cast<int &&>(x); fresh2 = 77; std::printf("%d\n", x);
    int S::*pm = &S::own; (int &)(s.*pm) = 31; S *ps = &s; static_cast<int &>(ps->*pm)++; std::printf("%d\n", s.own);
    int *ptr = &x; (int *&)ptr = &y; *ptr = 40; std::printf("%d\n", y);
    auto l = [&]() -> int & { return x; }; (int &)l() = 41; std::printf("%d\n", x);
    auto k = [x]() mutable { (int &)x = 5; static_cast<int &>(x)++; return x; }; std::printf("%d %d\n", k(), x);
    ((int &)(int &)x) = 42; std::printf("%d\n", x);
    static_cast<int &>((int &)++x) = 43; std::printf("%d\n", x);
    const int c = (int &)x + 1; std::printf("%d\n", c);
    ((volatile int &)x) = 50; std::printf("%d\n", x);
    void *raw = &x; (*(int (*)) raw) = 51; std::printf("%d\n", x);
    (int &)(*&x) = 52; (int &)*&*&x += 1; std::printf("%d\n", x);
    bool b = true; (unsigned char &)b = 0; std::printf("%d\n", b);
    (int &)(s.self(), s.own) = 60; std::printf("%d\n", s.own);
}
