// An array of variable length with empty braces is zero.
// flags: -std=gnu2x
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int n = argc + 2, v[n] = {};
    long grid[n][2] = {};
    printf("%d %ld\n", v[2], grid[2][1]);
    for (int i = 0; i < 2; i++) {
        int w[n + i] = {};
        w[i] += i + 1;
        printf("%d %d\n", w[0], w[1]);
    }
    return 0;
}
