// Heap memory after free, and a local after its block.
// revisions: heap scope fine
#include <stdio.h>
#include <stdlib.h>

int main(void) {
#if defined(REV_heap)
    int *p = malloc(sizeof(int));
    *p = 3;
    free(p);
    printf("%d\n", *p); //[heap]~ ERROR use-after-free
#elif defined(REV_scope)
    int *p;
    {
        int inner = 4;
        p = &inner;
    }
    printf("%d\n", *p); //[scope]~ ERROR use-after-free
#else
    int *p = malloc(sizeof(int));
    *p = 5;
    int *q = realloc(p, 100 * sizeof(int));
    printf("%d\n", *q);
    free(q);
#endif
    return 0;
}
