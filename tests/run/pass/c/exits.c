/* exit from a callee runs what atexit registered, last first, and flushes. */
// exit: 4
#include <stdio.h>
#include <stdlib.h>

static void first(void) { printf("registered first\n"); }
static void second(void) { printf("registered second\n"); }
static void leave(int code) { exit(code); }

int main(void) {
    atexit(first);
    atexit(second);
    printf("leaving");
    leave(4);
    printf("never\n");
    return 0;
}
