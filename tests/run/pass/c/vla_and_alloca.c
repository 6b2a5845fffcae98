/* Arrays of run-time length and alloca, in loops and callees. */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int triangle(int n) {
    int rows[n][n];
    int total = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) rows[i][j] = j <= i ? 1 : 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) total += rows[i][j];
    return total + (int)(sizeof rows / sizeof(int)) * 1000;
}

static size_t width(int n, char text[n]) { return sizeof(char[n]) + strlen(text); }

int main(void) {
    for (int n = 1; n < 5; n++) printf("%d ", triangle(n));
    printf("\n");
    for (int round = 0; round < 3; round++) {
        char buffer[round * 4 + 4];
        memset(buffer, 'a' + round, sizeof buffer);
        buffer[sizeof buffer - 1] = 0;
        printf("%s ", buffer);
    }
    printf("\n");
    char *space = alloca(16);
    strcpy(space, "on the stack");
    printf("%s %zu\n", space, width(20, space));
    return 0;
}
