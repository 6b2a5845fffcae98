// A default member initialiser that does more than give a value.
#include <cstdio>
int g; int f() { return ++g; }
struct S { int a = (f(), 5); };
int main() { S s, t; printf("%d %d\n", g, s.a + t.a - 5); }
