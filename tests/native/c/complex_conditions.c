// A complex number as a condition and as a variable argument.
#include <stdarg.h>
#include <stdio.h>

static double sum(int n, ...) {
    va_list list;
    va_start(list, n);
    _Complex double all = 0;
    for (int i = 0; i < n; i++) all += va_arg(list, _Complex double);
    _Complex float last = va_arg(list, _Complex float);
    va_end(list);
    return __real__ all * 100 + __imag__ all + __imag__ last;
}

static void tell(_Complex float z) {
    if (z) puts("not zero");
    if (!z) puts("zero");
    printf("%d %d %d\n", z ? 1 : 2, z && 1, z || 0);
    while (z) z -= z;
}

int main(void) {
    tell(0);
    tell(2.0f);
    tell(0.5fi);
    printf("%g\n", sum(2, (_Complex double)4.0, 2.0 + 3.0i, (_Complex float)0.5fi));
    return 0;
}
