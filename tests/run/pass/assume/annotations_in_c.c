// The annotations in C.
#include <cudair/verify.h>
#include <stdio.h>

static int half(int n) {
    __requires(n % 2 == 0);
    __builtin_assume(n > 0);
    __cudair_assert(__implies(__enabled(), n > 1));
    return n / 2;
}

int main(void) {
    for (int i = 0; __invariant(i <= 2), i < 2; ++i)
        printf("%d\n", half(2 * i + 2));
    return 0;
}
