// Comments in the empty parentheses of `new T()`.
#include <cstdio>
#include <cstring>
#include <new>
int main() { alignas(16) char b[16]; memset(b, 7, 16); int *p = new (b) int(/* zero */); int x = *p; memset(b, 7, 16); p = new (b) int{ /* zero */ }; printf("%d %d\n", x, *p); }
