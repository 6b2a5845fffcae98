// sizeof arrays of types that are members of a template's instance.
#include <cstdio>
struct A { char c[3]; };
template <class T> struct Arr { T t[2]; };
template <class T> struct In { typedef T type; struct B { T x; }; };
template <class T> void f(int k) { printf("%d\n", (int)sizeof(typename In<T>::type[k])); }
template <class T> void g(int k) { printf("%d\n", (int)sizeof(typename In<A>::B[k])); }
int main() { int k = 2;
 printf("%d\n", (int)sizeof(In<A>::type[k]));
f<A>(2); g<A>(2); }
