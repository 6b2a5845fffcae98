// Operands that are evaluated although they do not count for the value.
#include <cstdio>
int g;
int f() { return ++g; }
int main() { if ((f(), false)) puts("no"); bool b = f() && false; bool c = f() || true; int d = f() * 0; int e = f() ? 0 : 0; printf("%d %d%d%d%d\n", g, b, c, d, e); }
