// Parts of `for` in lambdas that macros write.
#include <cstdio>
#define EVER ;;
struct S { int n = [] { int k = 0; for (k = 3;;) break; return k; }(); int m = [] { int k = 3; for (;; k++) if (k > 5) break; return k; }(); };
int main() { S s; for (EVER) break; printf("%d %d\n", s.n, s.m); }
