// `sizeof` of an array type whose length comes from a macro.
#include <cstdio>
#define DIM [n]
int main() { int n = 3; printf("%zu\n", sizeof(int DIM)); }
