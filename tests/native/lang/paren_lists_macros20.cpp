// std: c++20
// Aggregates made with parentheses by macros.
#include <cstdio>
struct A { int a; int b = 4; int c; };
#define MK(n, ...) A n(__VA_ARGS__)
#define ALL A q(5, 6); A r(7)
#define VAL 9
int main() { MK(x, 1, 2); MK(y, 3, 4, 5); A z(VAL, VAL); A w((1), VAL); std::printf("%d %d %d %d %d %d %d\n", x.b, y.c, z.b, z.a, w.a, w.b, w.c); ALL; std::printf("%d %d %d\n", q.a, q.b, r.b); }
