// Entities of one name: statics of overloads and instances, enumerators, captures, local classes, hidden variables.
#include <cstdio>
static int f(int) { static int n = 1; return n++; }
static int f(double) { static int n = 10; return n++; }
template <class T> int f(T *) { static int n = 20 + sizeof(T); return n++; }
struct A { int f() { static int n = 100; return n++; } int f() const { static int n = 200; return n++; } template <int I> int g() { static int n = 300 + I; return n++; } };
namespace a { int v = 1; inline namespace i { int w = 2; } namespace { int h = 3; } static int s = 4; } namespace b { int v = 11; namespace { int h = 13; } static int s = 14; }
template <class T> int var = sizeof(T); template <> int var<char> = 77; template <class T> int var<T *> = 88;
template <class T> struct S { static int count; static inline int in = 5 + sizeof(T); struct N { static int count; }; }; template <class T> int S<T>::count = 40; template <> int S<char>::count = 41; template <class T> int S<T>::N::count = 50 + sizeof(T);
enum E1 { red = 1 }; namespace q { enum E1 { red = 2 }; } struct Q { enum E1 { red = 3 }; static int red_() { return red; } };
int x = 1; int sh(int x) { int r = x; { int x = r * 2; r += x; { extern int x; r += x * 1000; } r += ::x; } return r; }
int caps(int a) { int b = 1; auto l = [a, b, c = a + b](int b2) { int a = 5; auto m = [=, &b2]() { int c2 = c; b2++; return a * 100 + b * 10 + c2; }; int r = m(); return r + b2; }; a = 99; b = 98; return l(7); }
int initcap(int a) { auto l = [a = a * 2, &b = a]() mutable { a++; b += a; return a; }; int r = l() + l(); return r * 100 + a; }
template <class... T> int pack(T... t) { auto l = [t...](auto... u) { return (0 + ... + t) * 10 + (0 + ... + u); }; return l(t..., t...); }
struct An { union { struct { int a, b; }; long l; }; union { int a2; float f2; }; struct { int c; struct { int d; }; }; };
struct Bf { int a : 3 = 2; unsigned b : 5 = 17; int : 0; bool c : 1 = true; int d : 4 {3}; };
int loc() { struct L { static int f() { return 1; } int v = 2; }; { struct L { static int f() { return 3; } int v = 4; }; return L::f() * 10 + L().v; } }
template <class T> struct Fr { T v; friend int peek(Fr f) { return f.v * 2; } friend int operator+(Fr a, Fr b) { return a.v * 100 + b.v; } template <class U> friend int mix(Fr<T>, U u) ; }; template <class U> int mix(Fr<int> f, U u) { return f.v + sizeof(u); }
struct Conv { operator int() const { return 3; } operator double() const { return 4.5; } explicit operator bool() const { return false; } };
int def(int a = x, int b = sizeof(a)) { return a * 10 + b; }
int main() {
    A m; const A c{}; int n = f(1); n += f(2); printf("%d ", n); n = f(1.0); n += f(2.0); printf("%d ", n); n = f((int *)0); printf("%d ", n); n = f((char *)0); printf("%d ", n); n = f((int *)0); printf("%d ", n); n = m.f(); n += m.f(); printf("%d %d\n", n, c.f()); printf("%d ", m.g<1>()); printf("%d ", m.g<2>()); printf("%d\n", m.g<1>());
    printf("%d %d %d %d %d %d %d\n", a::v, a::w, a::h, a::s, b::v, b::h, b::s); printf("%d %d %d %d\n", var<int>, var<char>, var<int *>, var<double>);
    printf("%d %d %d %d %d %d\n", S<int>::count, S<char>::count, S<int>::in, S<double>::in, S<int>::N::count, S<char>::N::count); printf("%d %d %d\n", red, q::red, Q::red_());
    printf("%d %d %d %d\n", sh(3), caps(2), initcap(3), pack(1, 2, 3));
    An an{}; an.l = 0x500000004; an.f2 = 1; an.d = 6; printf("%d %d %x %d\n", an.a, an.b, an.a2, an.d); Bf bf; printf("%d %u %d %d\n", bf.a, bf.b, bf.c, bf.d); printf("%d\n", loc());
    printf("%d %d %d\n", peek(Fr<int>{4}), Fr<int>{5} + Fr<int>{6}, mix(Fr<int>{7}, 'c')); Conv v; int vi = v; double vd = v; printf("%d %g %d\n", vi, vd, v ? 1 : 0); printf("%d %d\n", def(), def(5));
}
