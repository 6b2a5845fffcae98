// A comment with brackets within `new T`.
#include <cstdio>
int main() { int *p = new int /* [2] */ (7); printf("%d\n", *p); delete p; int *q = new /* ( */ int[2]{1, 2}; if (q[1] != 2) puts("bad"); delete[] q; }
