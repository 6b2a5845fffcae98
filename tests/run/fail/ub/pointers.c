// Pointers to different objects may not be ordered or subtracted; equality is fine.
// revisions: ordered subtracted fine
#include <stdio.h>

int main(void) {
    int a[4], b[4];
    int *p = a, *q = b;
#if defined(REV_ordered)
    return p < q; //[ordered]~ ERROR undefined-behavior
#elif defined(REV_subtracted)
    return (int)(p - q) == 0; //[subtracted]~ ERROR undefined-behavior
#else
    printf("%d %d %d\n", p == q, (int)(&a[3] - p), p < &a[4]);
    return 0;
#endif
}
