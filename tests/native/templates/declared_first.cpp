// Classes whose templates are declared before they are defined.
#include <cstdio>
template <class T> struct Base; template <class T> struct D; template <class T, class U = int> struct Both;
template <class T> struct Base { int made; Base(T) : made(1) {} Base(const char *) : made(2) {} template <class U> Base(U *, T) : made(3) {} };
template <class T> struct D : Base<T> { using Base<T>::Base; };
template <class T, class U> struct Both : D<T> { using D<T>::D; U u = 5; Both(const Both &) = default; template <class V> Both(const Both<V> &) : D<T>("x") { puts("conv"); } };
struct H { Both<int> b{"k"}; };
int main() { D<int> d(1.5f); int n = 0; D<int> e("s"), f(&n, 3); Both<long> b(3L), c("z"); H h; H h2(h); Both<int> g(b); printf("%d %d %d %d %d %d %d\n", d.made, e.made, f.made, b.made, c.made, h2.b.made, g.made); return 0; }
