// Sizes of arrays of types by names that hide others.
#include <cstdio>
struct A { char c[3]; }; typedef char Num; namespace n { struct A { char c[5]; }; typedef short Num; 
 template <class T> void f(int k) { printf("%d %d %d\n", (int)sizeof(A[k]), (int)sizeof(Num[k]), (int)sizeof(T[k])); } }
template <class T> void g(int k) { printf("%d %d %d %d\n", (int)sizeof(A[k]), (int)sizeof(Num[k]), (int)sizeof(T[k]), (int)sizeof(n::Num[k])); }
int main() { n::f<A>(2); n::f<n::A>(2); g<A>(2); g<n::A>(2); g<Num>(2); g<n::Num>(3); n::f<Num>(2);
  struct A { char c[7]; }; typedef long Num; int k = 2; printf("%d %d %d\n", (int)sizeof(A[k]), (int)sizeof(Num[k]), (int)sizeof(::A[k])); printf("%d %d\n", (int)sizeof(A *[k]), (int)sizeof(struct A[k][3])); }
