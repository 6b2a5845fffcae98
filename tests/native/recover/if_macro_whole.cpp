// A whole `if` statement from a macro.
#include <cstdio>
#define IF_AFTER(a, b) if (a; b)
int f(int v) { printf("[%d]", v); return v; }
int main() { IF_AFTER(f(0), f(1)) puts("then"); puts("."); }
