// Items of a list are evaluated one after the other in C, in whichever order; parts of one item are not.
#include <stdio.h>

struct Pair { int x, y; };

int main(int argc, char **argv) {
    (void)argv;
    int k = argc;
    int a[2] = {k++, k += 5}; //~ WARNING undefined-behavior: `k` is modified in one item of a list
    struct Pair p[2] = {{.x = k}, {.y = ++k}}; //~ WARNING undefined-behavior: `k` is modified in one item of a list
    int b[2] = {k++ + k, 1}; //~ ERROR undefined-behavior: `k` is modified and used
    int c[2] = {argc++, k++};
    printf("%d\n", a[0] + a[1] + p[0].x + b[0] + c[1] > 0);
    return 0;
}
