// Comments within `new T[n]()`.
#include <cstdio>
int main() { int *p = new /* three */ int[3](); p[2] += 4; printf("%d\n", p[2]); delete[] p; }
