// Names of types that hide others, where the tree shows no type: `_Generic`, `sizeof` of arrays.
#include <stdio.h>
typedef int T; typedef struct { int a; } S;
int f(void) { typedef long T; T x = 1; return _Generic(x, int: 1, T: 2, default: 3); }
int f2(void) { typedef long T; long x = 1; int y = 1; return _Generic(y, T: 1, int: 2, default: 3) * 10 + _Generic(x, T: 1, int: 2, default: 3); }
int f3(void) { typedef struct { int a; } S; S s; return _Generic(s, S: 1, default: 3); }
int f4(void) { S g; { typedef struct { long b; } S; S s; return _Generic(g, S: 1, default: 3) * 10 + _Generic(s, S: 1, default: 3); } }
int f5(void) { struct A { int x; } a; { struct A { int y; } b; return _Generic(a, struct A: 1, default: 2) * 10 + _Generic(b, struct A: 1, default: 2); } }
int f6(int n) { typedef char U; typedef long T; return sizeof(T[n]) + sizeof(U[n]); }
int f7(void) { unsigned u = 1; T *p = 0; return _Generic(p, long *: 1, int *: 2, default: 3) * 10 + _Generic(&u, T *: 1, unsigned *: 2); }
int main() { printf("%d %d %d %d %d %d %d\n", f(), f2(), f3(), f4(), f5(), f6(3), f7()); }
