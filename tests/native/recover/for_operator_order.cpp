// Parts of `for` in the operands of overloaded operators.
#include <cstdio>
struct A { int v; }; A operator+(A a, A b) { return {a.v * 10 + b.v}; } int operator,(A a, A b) { return a.v * 100 + b.v; }
int main() { int k = 0; int r = (A{[&] { for (k = 3;;) break; return k; }()}, A{[&] { for (;; k++) if (k > 5) break; return k; }()}); printf("%d %d %d\n", r / 100, r % 100, [&] { for (; k < 9;) k++; return k; }()); }
