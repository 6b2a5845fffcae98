// Parts of `for` in a constructor with initialisers.
#include <cstdio>
struct S { int n, m, c; S() : n([] { int k = 0; for (k = 3;;) break; return k; }()), m([] { int k = 3; for (;; k++) if (k > 5) break; return k; }()) { for (c = 0;;) if (++c > 1) break; } };
int main() { S s; printf("%d %d %d\n", s.n, s.m, s.c); }
