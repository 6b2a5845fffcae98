// `sizeof` of array types in a macro.
#include <cstdio>
#define SZ(x) sizeof(x)
int main() { int n = 3; printf("%zu %zu\n", SZ(int[n][2]), SZ(double[n])); }
