// A static local variable whose initialiser does more than give a value.
#include <cstdio>
int g;
int f() { return ++g; }
int main() { static int st = (f(), 9); printf("%d %d\n", st, g); }
