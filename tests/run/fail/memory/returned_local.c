// The address of a local that outlives its function.
#include <stdio.h>

static int *leak_address(void) {
    int local = 5;
    int *p = &local;
    return p;
}

int main(void) {
    int *p = leak_address();
    printf("%d\n", *p); //~ ERROR use-after-free
    return 0;
}
