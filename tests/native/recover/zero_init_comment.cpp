// A comment in the empty parentheses of `S()`.
#include <cstdio>
#include <cstring>
#include <new>
struct W { int p, c; W() = default; };
int main() { char buf[8]; memset(buf, 1, 8); W *w = new (buf) W(/* zeros */); printf("%d\n", w->c); }
