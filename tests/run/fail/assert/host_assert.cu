// A failing assert on the host ends the program as abort does.
// exit: 3
#include <assert.h>
#include <stdio.h>

int main(int argc, char **argv) {
    printf("before\n");
    fflush(stdout);
    assert(argc > 5); //~ ERROR assertion-failed
    printf("after\n");
    return 0;
}
