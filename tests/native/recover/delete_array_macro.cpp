// The brackets of `delete[]` come from a macro.
#include <cstdio>
#define ARR []
struct S { static int live; S() { live++; } ~S() { live--; } };
int S::live = 0;
int main() { S *s = new S[3]; delete ARR s; printf("%d\n", S::live); }
