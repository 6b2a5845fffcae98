// Names, variable arguments and bounds in functions that a macro makes.
#include <stdio.h>
struct A { int x; }; typedef int N;
#define K(e) _Generic((e), struct A: 1, N: 2, default: 4)
#define F1 int f1(void) { struct A a; typedef long N; N n = 1; int r = K(a) * 10 + K(n); { struct A { char c; } b; typedef char N; N c = 2; r = r * 100 + K(b) * 10 + K(c); r = r * 10 + K(a); } r = r * 10 + K(a); return r; }
F1
#define VA(ap) __builtin_va_arg(ap, char *)
#include <stdarg.h>
#define GET int get(int n, ...) { va_list ap; va_start(ap, n); char *p = VA(ap); _Bool b = __builtin_va_arg(ap, int); va_end(ap); return *p + b; }
GET
#define ARR int arr(int n, int m) { int a[n][m + 1], b[m][3][n]; return sizeof(a) + sizeof(b) + sizeof(int[n][m]) + sizeof(a[0]) + sizeof b[0][0]; }
ARR
#define OFF struct O { char a; struct { short s; int t[3]; } in[4]; unsigned f : 3, g : 5; }; int off(void) { struct O o = { .in = { [2] = { .t = { [1] = 7 } } }, .g = 9, .a = 'x' }; return __builtin_offsetof(struct O, in[2].t[1]) * 100 + o.in[2].t[1] + o.g + o.f + o.a; }
OFF
#define SW int sw(int k) { int r = 0; switch (k) { case 1: r = 1; default: r += 5; break; case 2 ... 4: { r = 7; } } for (int i = 0, j = 3; i < j; i++, j--) r += i * j; do r++; while (r < 3); if (k) r *= 2; else r *= 3; L: if (r < 10) { r++; goto L; } return r; }
SW
int main(void) { char c = 5; printf("%d %d %d %d %d %d %d\n", f1(), get(1, &c, 1), arr(2, 3), off(), sw(1), sw(3), sw(0)); }
