// Parts of `for` beside default arguments that hold lambdas.
#include <cstdio>
int f(int x = [] { int k = 0; for (k = 3;;) break; return k; }()) { int r = x; for (;; r++) if (r > 5) break; printf("%d %d ", x, r); return r; }
int main() { int r = f(); for (r = 8;;) break; printf("%d\n", r); }
