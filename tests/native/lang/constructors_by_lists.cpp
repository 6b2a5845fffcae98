// Constructors by lists, among several that take a list and several templates.
#include <cstdio>
#include <initializer_list>
#include <string>
struct X { int w; X(std::initializer_list<int>) : w(1) {} X(std::initializer_list<double>) : w(2) {} X(std::initializer_list<const char *>) : w(3) {} X(std::initializer_list<std::string>) : w(4) {} X(std::initializer_list<long>) : w(5) {} };
struct Y { X x; int n; };
template <class T> struct L { int w; L(std::initializer_list<T>) : w(10 + sizeof(T)) {} template <class U> L(std::initializer_list<U>) : w(20 + sizeof(U)) {} template <class U> L(U, U) : w(30 + sizeof(U)) {} L(T, double) : w(40) {} };
struct M { int w; template <class T> M(T *) : w(1) {} M(const void *) : w(2) {} template <class T> M(const T &) : w(3) {} M(long) : w(4) {} template <class T> M(T a, double) : w(50 + sizeof(T)) {} M(float, float) : w(60) {} };
namespace user { template <class T> struct initializer_list { T *p; }; } struct N { int w; N(user::initializer_list<int>) : w(1) {} N(int *) : w(2) {} N(int, int) : w(3) {} };
int main() {
    X xs[] = {{1, 2}, {1.0, 2.0}, {"a", "b"}, {std::string("x"), std::string("y")}, {1L, 2L}, {1.5f, 2.5f}, {'a', 'b'}}; for (X &x : xs) printf("%d ", x.w); puts("");
    Y ys[] = {{{1.0}, 1}, {{1L}, 2}}; printf("%d %d\n", ys[0].x.w, ys[1].x.w);
    L<int> ls[] = {{1, 2}, {1L, 2L}, {'a', 'b', 'c'}}; for (auto &l : ls) printf("%d ", l.w); puts("");
    int i = 0; const int c = 1; M ms[] = {&i, &c, 1L, 1, 2.0f, 'c', nullptr, {1, 2.0}, {'a', 2.0}, {1.0f, 2.0f}}; for (M &m : ms) printf("%d ", m.w); puts("");
    N ns[] = {{&i}, {1, 2}, &i}; for (N &n : ns) printf("%d ", n.w); puts("");
}
