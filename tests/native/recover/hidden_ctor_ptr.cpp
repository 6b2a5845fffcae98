// Constructors in a list that take pointers: `const` may be added, `void*` is worse, `bool` is worst.
#include <cstdio>
struct J { int k; J(bool) : k(1) {} J(const void *) : k(2) {} J(const int *) : k(3) {} };
int main() { int n = 0; const int cn = 0; J j[] = {&n, &cn, "s", (char *)0}; for (auto &x : j) printf("%d ", x.k); puts(""); }
