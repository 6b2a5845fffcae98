// Constructors in a list that take references of each kind.
#include <cstdio>
struct R { int k; R(int &) : k(1) {} R(const int &) : k(2) {} R(int &&) : k(3) {} };
int main() { int i = 0; const int c = 1; R r[] = {i, c, 5, {i}, {c}, {6}}; for (auto &x : r) printf("%d ", x.k); puts(""); }
