// A long double literal from a macro.
#include <cstdio>
#define PI 3.14159265358979323846264338327950288L
int main() { long double a = PI; printf("%.20Lg\n", a); }
