// std: c++20
// The types of bit casts by names that hide others.
#include <cstdio>
#include <bit>
#include <cstdint>
namespace b { struct A { short lo, hi; }; typedef float Num; template <class T> void f(int k) { auto x = __builtin_bit_cast(A, k); printf("%d %d\n", x.lo, x.hi); auto y = __builtin_bit_cast(T, k); printf("%d\n", (int)sizeof(y)); printf("%g\n", (double)__builtin_bit_cast(Num, 0x40490fdb)); } }
struct A { short hi; short lo; }; typedef int Num;
template <class T> void g(int k) { auto x = __builtin_bit_cast(A, k); printf("%d %d\n", x.lo, x.hi); printf("%g\n", (double)__builtin_bit_cast(Num, 0x40490fdb)); printf("%g\n", (double)__builtin_bit_cast(b::Num, 0x40490fdb)); }
int main() { b::f<::A>(0x10002); b::f<b::A>(0x10002); g<::A>(0x10002); g<b::A>(0x10002); b::f<Num>(3); g<b::Num>(4);
  struct A { unsigned char c[4]; }; auto z = __builtin_bit_cast(A, 0x01020304); printf("%d %d\n", z.c[0], z.c[3]); typedef unsigned Num; printf("%u\n", __builtin_bit_cast(Num, -1)); }
