/* What runs before and after `main` by attributes, and at the end of a variable's scope. */
#include <stdio.h>
static void gone(int *p) { printf("gone %d\n", *p); }
__attribute__((constructor)) static void first(void) { printf("first\n"); }
__attribute__((destructor)) static void last(void) { printf("last\n"); }
__attribute__((weak)) int defined(void) { return 9; }
__attribute__((weak)) int defined_later(void);
static int sum(int n) {
    int total __attribute__((cleanup(gone))) = 0;
    for (int i = 0; i < n; i++) {
        __attribute__((cleanup(gone))) int square = i * i;
        if (i == 1)
            continue;
        if (i == 3)
            goto out;
        total += square;
    }
out:
    total++;
    return total;
}
int main(void) {
    printf("%d %d %d\n", sum(5), defined(), defined_later ? defined_later() : -1);
    return 0;
}
int defined_later(void) { return 4; }
