// Branches of `if constexpr` that macros write.
#include <cstdio>
#define ELSE else
template <int N> void f() { if constexpr (N == 0) puts("zero"); ELSE puts("other"); }
int main() { f<0>(); f<1>(); if constexpr (sizeof(int) == 8) puts("no"); ELSE puts("four"); }
