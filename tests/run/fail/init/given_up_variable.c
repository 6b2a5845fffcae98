// A variable of the file whose initialiser is not supported: who uses it is told, again and again, and nobody else.
// revisions: used later unused
#include <stdio.h>

struct { int x, y; } numbers[3] = {[0 ... 1] = 3, 4}; //[used,later]~ DIAGNOSTIC unsupported: several items for each
int others[2] = {5, 6};
static int *second(void) { return &numbers[1].x; }

int main(int argc, char **argv) {
    (void)argv;
#if defined(REV_used)
    printf("%d\n", numbers[0].x);
    printf("%d\n", numbers[1].x);
#elif defined(REV_later)
    if (argc > 0)
        printf("%d\n", *second());
#else
    if (argc > 5)
        printf("%d\n", *second());
#endif
    printf("%d\n", others[1]);
    return 0;
}
