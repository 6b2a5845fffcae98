// All forms of `new` from macros.
#include <cstdio>
#include <new>
#define NEWARR(T, n) new T[n]()
#define ZERO() ()
#define PLACE(p) new (p)
struct S { int x; S() : x(7) { printf("ctor\n"); } ~S() { printf("dtor\n"); } };
int main(){
  int *p = NEWARR(int, 10); p[9] += 1; printf("%d\n", p[9]); delete[] p;
  S *s = NEWARR(S, 2); printf("%d\n", s[1].x); delete[] s;
  int *z = new int ZERO(); printf("%d\n", *z); delete z;
  alignas(S) char buf[sizeof(S)]; S *t = PLACE(buf) S; printf("%d %d\n", t->x, (void*)t==(void*)buf); t->~S();
}
