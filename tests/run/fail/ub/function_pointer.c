// A call through a pointer to nothing, or to data; a good one is fine.
// revisions: null data fine
#include <stdio.h>

static int twice(int x) { return 2 * x; }

int main(int argc, char **argv) {
    int (*f)(int) = twice;
    static int data = 3;
    (void)argv;
#if defined(REV_null)
    f = argc > 1 ? twice : NULL;
#elif defined(REV_data)
    f = (int (*)(int))(void *)&data;
#endif
    printf("%d\n", f(21) + data - 3); //[null]~ ERROR undefined-behavior
    //[data]~^ ERROR undefined-behavior
    return argc > 5;
}
