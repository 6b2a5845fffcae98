// `new (p) T()` in a macro sets a trivial class to zero.
#include <cstdio>
#include <cstring>
#include <new>
struct W { int p, c; W() = default; };
#define Z(T) new (buf) T()
int main() { alignas(W) char buf[sizeof(W)]; memset(buf, 1, sizeof buf); W *w = Z(W); printf("%d %d\n", w->p, w->c); }
