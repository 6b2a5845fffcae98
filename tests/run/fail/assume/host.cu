// A false assumption of the host's code ends the program. The near miss states what holds.
// revisions: builtin own assertion right
#include <stdio.h>

#define CHECK(c) __cudair_assert(c)

static int half(int n) {
#ifdef REV_builtin
    __builtin_assume(n % 2 == 0); //[builtin]~ ERROR assumption-failed: the assumption `n % 2 == 0` does not hold
#elif defined REV_own
    __cudair_assume(n % 2 == 0); //[own]~ ERROR assumption-failed: the assumption `n % 2 == 0` does not hold
#elif defined REV_assertion
    CHECK(n % 2 == 0); //[assertion]~ ERROR assertion-failed: the assertion `n % 2 == 0` failed
#else
    __builtin_assume(n % 2 == 1);
    __cudair_assume(n % 2 == 1);
    CHECK(n % 2 == 1);
#endif
    return n / 2;
}

int main() {
    printf("before\n");
    fflush(stdout);
    printf("%d\n", half(7));
    return 0;
}
