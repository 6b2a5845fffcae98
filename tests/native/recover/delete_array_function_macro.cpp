// `delete[]` in a macro with a function's name.
#include <cstdio>
#define DEL(p) delete[] p
struct S { static int live; S() { live++; } ~S() { live--; } };
int S::live = 0;
int main() { S *s = new S[3]; DEL(s); printf("%d\n", S::live); }
