// A condition of a lambda with semicolons in its body.
#include <cstdio>
int main() { int n = 0; if ([&] { n++; return false; }()) printf("no\n"); else printf("yes %d\n", n); }
