// The first part of an `if` statement comes from a macro.
#include <cstdio>
#define FIRST f(0);
int f(int v) { printf("[%d]", v); return v; }
int main() { if (FIRST f(1)) puts("then"); puts("."); }
