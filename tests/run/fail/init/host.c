// Uninitialised values on the host: as a condition, an index, an argument of printf; of malloc, of a struct.
// revisions: condition index printed heap field fine
#include <stdio.h>
#include <stdlib.h>

struct Pair { int a, b; };

int main(void) {
    int table[4] = {1, 2, 3, 4};
    int x;
    (void)table;
#if defined(REV_condition)
    if (x) printf("set\n"); //[condition]~ ERROR uninitialized-read
#elif defined(REV_index)
    printf("%d\n", table[x & 3]); //[index]~ ERROR uninitialized-read
#elif defined(REV_printed)
    printf("%d\n", x); //[printed]~ ERROR uninitialized-read
#elif defined(REV_heap)
    int *p = malloc(4 * sizeof(int));
    p[0] = 1;
    printf("%d\n", p[0] + p[1]); //[heap]~ ERROR uninitialized-read
    free(p);
#elif defined(REV_field)
    struct Pair pair;
    pair.a = 1;
    struct Pair other = pair;
    printf("%d\n", other.b); //[field]~ ERROR uninitialized-read
#else
    struct Pair pair, other;
    pair.a = 1;
    other = pair; /* a copy of what is not set uses nothing */
    int *p = calloc(4, sizeof(int));
    int y;
    for (int i = 0; i < 3; i++) {
        if (i == 0) y = 5;
        else y += i;
    }
    x = y;
    printf("%d %d %d\n", other.a, p[3], x);
    free(p);
#endif
    return 0;
}
