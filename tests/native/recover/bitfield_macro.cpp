// Default initialisers of bit-fields that are macros, constants and sums.
#include <cstdio>
#define FIVE 5
constexpr int K = 6;
struct S { unsigned a : 4 = FIVE; unsigned b : 4 {K}; unsigned c : 4 = 1 + 2; };
int main() { S s; printf("%u %u %u\n", s.a, s.b, s.c); }
