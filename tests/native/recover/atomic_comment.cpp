// An atomic operation with comments between its tokens.
#include <cstdio>
int main() { int x = 1; /* a */ (void) /* b */ __atomic_fetch_add /* c */ (&x, 2, __ATOMIC_RELAXED); printf("%d\n", x); }
