// Types by names that hide others, and what is not told by its name: tags, typedefs of arrays and functions.
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
struct A { int x; }; enum E { one = 1 };
typedef struct A *PA;
int pick(void) { struct A { char c[9]; }; typedef struct A *PA; PA p = 0; return sizeof(struct A) * 10 + sizeof(*p); }
int vla(int n) { struct A { char c[9]; }; return sizeof(struct A[n]) + sizeof(PA[n]); }
int cast(int n) { typedef short T; { typedef char T; T x = (T)n; return x + (int)sizeof(T[n % 5 + 1]); } }
int off(void) { struct A { char pad; int x; }; return __builtin_offsetof(struct A, x); }
int compat(void) { typedef long T; return __builtin_types_compatible_p(T, long) * 10 + __builtin_types_compatible_p(struct A, int); }
int va(int n, ...) { struct A { long x, y; }; __builtin_va_list l; __builtin_va_start(l, n); struct A a = __builtin_va_arg(l, struct A); __builtin_va_end(l); return a.x * 10 + a.y; }
int compound(void) { struct A { int b, c; }; return ((struct A){1, 2}).c + (int)sizeof((struct A[]){{1, 2}, {3, 4}}); }
int shadow(int index) { int strlen = index; { int index = strlen + 1; return index; } }
int label(int n) { int exit = n; goto exit; exit: return exit + 1; }
int align(void) { typedef char T; { typedef double T; return _Alignof(T); } }
int tag(int n) { enum E { one = 5 }; return _Generic((enum E)n, enum E: one, default: 9); }
int fp(int n) { typedef int T; int (*f)(T); { typedef char T; return _Generic(f, int (*)(T): 1, int (*)(int): 2, default: 3); } }
int arr(int n) { typedef int T[3]; T a; { typedef int T[4]; return _Generic(&a, T *: 1, int (*)[3]: 2, default: 3) * 10 + (int)sizeof(T); } }
int qual(void) { typedef const int T; int x = 0; const int *p = &x; return _Generic(p, int *: 1, T *: 2, default: 3); }
int fn(int struct_) { struct B { int y; }; struct B b = {struct_}; { struct B { int y, z; } c = {4, 5}; return _Generic(b, struct B: 1, default: 2) + _Generic(&c, struct B *: 10, default: 20); } }
int main(void) { struct A { long x, y; } a = {3, 4}; printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n", pick(), vla(3), cast(300), off(), compat(), va(1, a), compound(), shadow(4), label(6), align(), tag(5), fp(1), arr(2), qual(), fn(1)); }
