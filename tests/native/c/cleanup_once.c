// A variable has one function of the attribute `cleanup`, however often it is named.
#include <stdio.h>

static void end(int *p) { printf("end of %d\n", *p); }

int main(void) {
    {
        __attribute__((cleanup(end), cleanup(end))) int a = 1;
        puts("first");
    }
    __attribute__((cleanup(end))) int b __attribute__((cleanup(end))) = 2;
    puts("second");
    return 0;
}
