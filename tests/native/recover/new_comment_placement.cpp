// A comment between `new` and its placement arguments.
#include <cstdio>
#include <new>
int main() { alignas(16) char b[16]; int *p = new /* here */ (b) int(3); printf("%d\n", (void *)p == (void *)b); }
