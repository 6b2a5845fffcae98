// `typeid` of instances of templates whose arguments are written as names for types.
#include <cstdio>
#include <typeinfo>
namespace a { struct A {}; typedef int I; typedef A AA; struct In { typedef long L; template<class T> struct N { typedef T type; T t; }; }; }
template <class T> struct X { T t; };
template <class T, class U> struct P { T t; U u; };
typedef int I; typedef int (*F)(long); typedef const char *S; typedef int Arr[3]; typedef a::A A2;
struct L {};
namespace b { typedef int L; void f() { printf("%s\n", typeid(X<L>).name()); X<int> x; (void)x; } }
template <class T> void t() { typedef T U; using V = X<T>; printf("%s %s %s %s\n", typeid(X<U>).name(), typeid(V).name(), typeid(X<V>).name(), typeid(P<U, V *>).name()); X<U> q; X<V> r; P<U, V*> s; (void)q; (void)r; (void)s; }
int main() {
  printf("%s %s %s\n", typeid(X<I>).name(), typeid(X<F>).name(), typeid(X<S>).name());
  printf("%s %s %s\n", typeid(X<a::I>).name(), typeid(X<a::AA>).name(), typeid(X<A2>).name());
  printf("%s %s\n", typeid(P<a::In::L, I>).name(), typeid(P<I, a::In::L> *).name());
  printf("%s\n", typeid(X<Arr>).name());
  printf("%s\n", typeid(P<X<I>, X<a::AA>>).name());
  X<int> x1; X<F> x2; X<S> x3; X<a::A> x4; P<long, int> p1; P<int, long> p2; X<int[3]> x5; P<X<int>, X<a::A>> p3; X<L> x6;
  (void)x1;(void)x2;(void)x3;(void)x4;(void)p1;(void)p2;(void)x5;(void)p3;(void)x6;
  b::f(); t<int>(); t<a::A>();
}
