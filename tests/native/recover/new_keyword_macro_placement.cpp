// A placement `new` whose keyword is a macro.
#include <cstdio>
#include <cstring>
#include <new>
#define NEW new
int main() { alignas(16) char b[16]; memset(b, 7, 16); int *p = NEW (b) int(); printf("%d %d\n", *p, (void *)p == (void *)b); }
