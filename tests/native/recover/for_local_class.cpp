// Parts of `for` in the methods of a local class of a template.
#include <cstdio>
template <class T> int g(T a) { struct L { int go(T k) { for (k = 3;;) return k; } int og(T k) { for (;; k++) if (k > 5) return k; } }; int r; printf("%d %d ", L().go(a), L().og(a)); for (r = 8;;) break; return r; }
int main() { printf("%d\n", g(1)); }
