// A long double literal that a macro pastes together.
#include <cstdio>
#define LD(x) x##L
int main() { long double a = LD(0.1); printf("%.20Lg\n", a); }
