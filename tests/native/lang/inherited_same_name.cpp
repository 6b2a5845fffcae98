// Inherited constructors where classes of the same name are about: bases, the class itself, further up.
#include <cstdio>
namespace a { struct X { int n; X(int k) : n(k) {} X() : n(-1) {} }; }
namespace b { struct X { int m; X(int k) : m(k * 10) {} X() : m(-2) {} }; }
struct D : a::X, b::X { using b::X::X; };
struct E : a::X, b::X { using a::X::X; };
struct V : virtual a::X, virtual b::X { using b::X::X; };
namespace c { struct X : a::X { using a::X::X; int z = 3; }; struct Y : X { using X::X; }; }
namespace d { struct X : a::X { int z = 4; using a::X::X; X(const char *) : a::X(77) {} }; }
namespace e { template <class T> struct X : a::X { using a::X::X; T t = 5; }; template <class T> struct Z : b::X, e::X<T> { using e::X<T>::X; }; template <class T> struct W : b::X, e::X<T> { using b::X::X; }; }
struct F : c::X, b::X { using b::X::X; };
struct G : c::X { using c::X::X; };
int main() {
    D d(4); printf("%d %d\n", d.n, d.m);
    E e(5); printf("%d %d\n", e.n, e.m);
    V v(6); printf("%d %d\n", v.n, v.m);
    c::X c(7); printf("%d %d\n", c.n, c.z);
    c::Y y(8); printf("%d %d\n", y.n, y.z);
    d::X dx(9), dy("q"); printf("%d %d %d %d\n", dx.n, dx.z, dy.n, dy.z);
    e::X<int> ex(10); printf("%d %d\n", ex.n, ex.t);
    e::Z<int> ez(11); printf("%d %d %d\n", ez.n, ez.m, ez.t);
    e::W<int> ew(12); printf("%d %d %d\n", ew.n, ew.m, ew.t);
    F f(13); printf("%d %d %d\n", f.n, f.m, f.z);
    G g(14); printf("%d %d\n", g.n, g.z);
}
