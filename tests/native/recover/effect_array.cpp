// Elements, pointers and constants whose initialisers do more than give a value.
#include <cstdio>
int g;
int f() { return ++g; }
int main() { int a[2] = {(f(), 1), (f(), 2)}; int *p = (f(), nullptr); const char *s = (f(), "lit"); const int c = (f(), 4); printf("%d %d\n", a[1] + c + (p == nullptr), g); puts(s); }
