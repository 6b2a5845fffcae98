// Parts of `for` in a lambda at namespace scope.
#include <cstdio>
int n = [] { int k = 0; for (k = 3;;) break; return k; }();
int m = [] { int k = 3; for (;; k++) if (k > 5) break; return k; }();
int main() { printf("%d %d\n", n, m); }
