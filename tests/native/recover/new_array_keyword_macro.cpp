// `new` and its brackets come from macros.
#include <cstdio>
#define NEWARR(T, n) new T[n]
struct S { static int live; S() { live++; } ~S() { live--; } };
int S::live = 0;
int main() { S *s = NEWARR(S, 5); printf("%d\n", S::live); delete[] s; printf("%d\n", S::live); }
