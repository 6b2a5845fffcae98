// A lambda captures `this` and `*this` by macros.
#include <cstdio>
#define SELF *this
#define THIS this
struct Q { int v = 1; int run() { auto b = [SELF]() mutable { v = 9; return v; }; int r = b(); printf("%d %d ", r, v); auto c = [THIS] { v = 5; }; c(); return v; } };
int main() { printf("%d\n", Q().run()); }
