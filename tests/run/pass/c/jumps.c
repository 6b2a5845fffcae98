/* setjmp and longjmp: out of nested calls, with values; a local that is volatile keeps its value. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf top;

static void deep(int n) {
    if (n == 0) longjmp(top, 7);
    deep(n - 1);
}

int main(void) {
    volatile int tries = 0;
    int code = setjmp(top);
    printf("%d %d\n", code, tries);
    if (tries < 3) {
        tries++;
        if (tries == 2) longjmp(top, 0);
        deep(5);
    }
    printf("done\n");
    return 0;
}
