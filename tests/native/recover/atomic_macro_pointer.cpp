// An atomic operation whose name and operands come from macros.
#include <cstdio>
#define ADD __atomic_fetch_add
#define STEP(p, n) __atomic_fetch_add(p, n, __ATOMIC_RELAXED)
int main() { int a[4] = {1, 2, 3, 4}; int *p = a; ADD(&p, sizeof(int), __ATOMIC_RELAXED); int x = *p; STEP(&p, 4); printf("%d %d\n", x, *p); }
