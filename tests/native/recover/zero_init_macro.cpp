// The empty parentheses of `S()` come from a macro.
#include <cstdio>
struct W { int p, c; W() = default; };
#define MAKE(T) T{}
int main() { W w = MAKE(W); printf("%d\n", w.c); }
