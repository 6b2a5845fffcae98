// Declarations, statements and expressions in odd forms.
#include <cstdio>
#include <typeinfo>
// statements and declarations in odd forms
struct S { int a = 1; int b : 3, c : 5; static int n; mutable int m = 4; int f() const { return m++; } } s1, *sp = &s1, sa[2]; int S::n = 8;
enum { A = 3, B, C = A + 10 } ev = B; enum class D : short { X = -1, Y } dv{};
typedef struct { int x; } Anon, *AnonP; typedef int Fn(int), (*FnP)(int), Arr[3]; Fn decl; int decl(int k) { return k * 2; } FnP fp = decl; using AF = int (&)[3];
int g = 3, *gp = &g, ga[3] = {1, 2}, &gr = g, (*gpa)[3] = &ga, (*gfp)(int) = &decl;
extern int later; int useLater() { return later; } int later = 5;
int sum(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); int t = 0; for (; n--;) t += __builtin_va_arg(ap, int); __builtin_va_end(ap); return t; }
int dup(int n) { int c = 0; switch (n % 4) { case 0: do { c++; case 3: c += 10; case 2: c += 100; case 1: c += 1000; } while (n -= 4, n > 0); } return c; }
int lbl(int n) { void *t[] = {&&a, &&b, &&c}; goto *t[n]; a: return 1; b: return 2; c: return 3; }
int nest(int n) { int r = 0; for (int i = 0; i < n; i++) { for (int j = 0;; j++) { if (j == i) break; if (j == 1) continue; switch (j) { case 2: continue; default: break; } r += j; if (r > 50) goto out; } while (r & 1) { r++; if (r % 3) continue; break; } } out: return r; }
int cond(int a, int b) { return a ? b ? 1 : 2 : b ? 3 : 4; } int chain(int a) { int b, c; a = b = c = a + 1; return a += b -= c *= 2, a ^ b ^ c; }
int sh(int a) { unsigned char u = 200; signed char c = (signed char)u; short s = (short)70000; u += 100; c >>= 1; return u + c + s + (a >> 1) + (unsigned(a) >> 28) + (1u << 31 >> 31) + ~a + !a + -a + +a; }
int ptr() { int m[3][4] = {}; int(*p)[4] = m; p[1][2] = 5; *(*(p + 1) + 3) = 6; int *q = &m[2][0]; q[-1]++; 1 [m[0]] = 9; return m[1][3] * 100 + m[1][2] * 10 + m[0][1] + int(&m[2][1] - &m[0][0]) + int(p + 2 == &m[2]); }
template <int... I> struct Seq { static constexpr int sum = (I + ... + 0); static constexpr int n = sizeof...(I); }; template <class T, T V> constexpr T cv = V; template <class T> T tv = T(2.9);
int stat(int k) { static int a = k, b[2] = {a, k}; static S st; return a++ + b[0]++ + b[1] + st.a++; } struct L { static int f() { static int z = 10; return z++; } }; inline int inl() { static int q = 0; return ++q; }
int um() { union { int i; unsigned char c[4]; float f; } u = {0x3f800000}; struct { union { int p; short q[2]; }; int z; } v = {{7}, 8}; return (u.f == 1.0f) * 100 + u.c[3] + v.q[0] + v.z; }
int vla(int n) { int a[n], b[n][2]; int s = sizeof a + sizeof b; for (int i = 0; i < n; i++) a[i] = b[i][1] = i; for (int i = 0; i < n; i++) s += a[i]; return s + b[n - 1][1]; }
int se() { return ({ int z = 4; z * 2; }) + __extension__({ struct Q { int w; } q = {3}; q.w; }); }
int cl() { struct P { int x, y; int arr[2]; }; P p = (P){.x = 1, .y = 2, .arr = {3, 4}}; const int *q = (const int[]){5, 6, 7}; return p.arr[1] + q[2]; }
int mp() { int S::*d = &S::a; int (S::*f)() const = &S::f; S x; x.*d = 6; S *y = &x; return y->*d + (x.*f)() + (y->*f)() + (d == &S::a) + (f != nullptr); }
int ov(char) { return 1; } int ov(signed char) { return 2; } int ov(unsigned char) { return 3; } int ov(short) { return 4; } int ov(int) { return 5; } int ov(long) { return 6; } int ov(double) { return 7; } int ov(void *) { return 8; } int ov(bool) { return 9; } int ov(decltype(nullptr)) { return 10; } int ov(char16_t) { return 11; }
int main() {
  printf("%d %d %d %d %d %d\n", s1.a, sp->b, S::n, s1.f(), sa[1].m, (int)sizeof(S)); printf("%d %d %d %d\n", ev, C, (int)D::X, (int)dv); printf("%d %d %d %d %d %d\n", fp(4), gr, (*gpa)[1], gfp(1), useLater(), (int)sizeof(Arr));
  printf("%d %d %d %d %d %d\n", sum(3, 1, 2, 3), dup(6), dup(5), lbl(1), nest(7), nest(3)); printf("%d %d %d %d %d\n", cond(1, 0), cond(0, 1), chain(3), sh(-9), ptr());
  int st = stat(3); st += stat(9); printf("%d %d %d %g %d %d %d\n", Seq<1, 2, 3>::sum, Seq<>::n, cv<int, 4>, tv<double>, tv<int>, st, L::f() + L::f() + inl() + inl()); printf("%d %d %d %d %d\n", um(), vla(4), se(), cl(), mp());
  printf("%d%d%d%d%d%d%d%d%d%d %d %d %d\n", ov('a'), ov((signed char)1), ov(u'a'), ov((short)1), ov(1), ov(1L), ov(1.f), ov(&g), ov(true), ov(nullptr), ov(L'a'), ov(A), ov(D::X == D::Y));
}
