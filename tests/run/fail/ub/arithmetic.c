// Signed overflow is a warning, unsigned wraps; shifts by the width or more are errors.
// revisions: overflow shift negate fine
#include <limits.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int big = INT_MAX - 1 + argc, small = INT_MIN + argc - 1;
    (void)argv;
#if defined(REV_overflow)
    printf("%d\n", big + 1); //[overflow]~ WARNING undefined-behavior
#elif defined(REV_shift)
    printf("%d\n", 1 << (31 + argc)); //[shift]~ ERROR undefined-behavior
#elif defined(REV_negate)
    printf("%d\n", -small); //[negate]~ WARNING undefined-behavior
#else
    unsigned u = (unsigned)big + 1u;
    printf("%u %d %d %u\n", u, (int)((long long)big + 1 == 2147483648LL), (int)(short)70000, 1u << 31);
    printf("%d\n", small);
#endif
    return 0;
}
