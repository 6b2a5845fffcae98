// Variables of static storage whose initialisers do more than give a value.
#include <cstdio>
int g;
int f() { return ++g; }
int x = (f(), 9);
const int y = (f(), 3);
int main() { printf("%d %d %d\n", x, y, g); }
