// Constructors in a list that take bases and pointers to bases: the nearest wins.
#include <cstdio>
struct B {}; struct D : B {}; struct D2 : D {};
struct K { int k; K(const B &) : k(1) {} K(const D &) : k(2) {} K(B *) : k(3) {} K(D *) : k(4) {} };
int main() { D2 d2; D d; B b; K k[] = {d2, d, b, &d2, &d, &b, D2()}; for (auto &x : k) printf("%d ", x.k); puts(""); }
