// `new` of a type that is a macro for an array.
#include <cstdio>
#include <new>
#define N_ 4
#define T_ARR int[N_]
#define VI {}
struct P { int a, b; };
int main(){
  auto *q = new T_ARR; q[3]=5; printf("%d\n", q[3]); delete[] q;
  P *p = new P VI; printf("%d %d\n", p->a, p->b); delete p;
  typedef int A4[4]; int *r = new A4; r[2]=1; printf("%d\n", r[2]); delete[] r;
  int *w = new (std::nothrow) int[3]{1,2,3}; printf("%d\n", w[2]); delete[] w;
}
