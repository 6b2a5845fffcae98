// Folds of no operands, and values of type void.
#include <cstdio>
template <class... A> void each(A... a) { int s = 0; ((s += a), ...); printf("%d\n", s); }
template <class T> T v() { return T(); }
template <class... A> auto both(A... a) { return (a, ...); }
int main() { each(); each(1, 2); v<void>(); void(); return void(), both(3, 4) - 4; }
