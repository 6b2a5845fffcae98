// Parameters of function type.
#include <cstdio>
int twice(int x) { return 2 * x; }
int call(int g(int)) { return g(4); }
int keep(int g(int)) { int (*f)(int) = g; return f(5); }
template <class T> T tcall(T g(T)) { return g(6); }
template <class T> T tkeep(T g(T)) { T (*f)(T) = g; return f(7); }
template <class T> T pass(T g(T)) { return tcall(g); }
struct M { int (*f)(int); M(int g(int)) : f(g) {} };
template<class T> struct N { T (*f)(T); N(T g(T)) : f(g) {} };
int main() { printf("%d %d ", call(twice), keep(twice)); printf("%d ", tcall(twice)); printf("%d ", tkeep(twice)); printf("%d ", pass(twice)); printf("%d ", M(twice).f(8)); printf("%d\n", N<int>(twice).f(9)); }
