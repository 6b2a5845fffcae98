// Reading past a local array, and writing before one.
// revisions: fine read write
#include <stdio.h>

static int sum(const int *p, int n) {
    int total = 0;
    for (int i = 0; i < n; i++) total += p[i]; //[read]~ ERROR out-of-bounds
    return total;
}

int main(void) {
    int box[3] = {1, 2, 3};
    int *p = box;
#if defined(REV_read)
    printf("%d\n", sum(box, 4));
#elif defined(REV_write)
    p[-1] = 5; //[write]~ ERROR out-of-bounds
#else
    p += 3; /* one past the end may be pointed at */
    p[-1] = 5;
    printf("%d\n", sum(box, 3));
#endif
    return 0;
}
