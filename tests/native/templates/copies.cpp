// Copies, assignments and moves of an instance.
#include <cstdio>
template <class T> struct C { T v; C(T v) : v(v) {} C(const C& o) : v(o.v + 1) {} C& operator=(const C& o) { v = o.v + 10; return *this; } };
struct Holder { C<int> c; int k; };
C<int> pass(C<int> c) { return c; }
int main() { C<int> a(1); C<int> b = a; C<int> c(0); c = b; Holder h{a, 1}; Holder g = h; g = h; std::printf("%d %d %d %d %d\n", b.v, c.v, h.c.v, g.c.v, pass(a).v); C<int> arr[2] = {a, b}; std::printf("%d\n", arr[1].v); }
