// The length of `new T[n]` comes from a macro.
#include <cstdio>
#define DIM [3]
int main() { int *s = new int DIM; s[2] = 4; printf("%d\n", s[2]); delete[] s; }
