// `new` of a name for an array type.
#include <cstdio>
struct S { static int live; S() { live++; } ~S() { live--; } };
int S::live = 0;
typedef S A3[3];
int main() { auto s = new A3; printf("%d\n", S::live); delete[] s; printf("%d\n", S::live); }
