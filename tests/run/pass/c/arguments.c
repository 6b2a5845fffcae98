/* The arguments of main, its input and its exit code. */
// args: one two 3
// stdin: 12 apples
// stdin: 5 pears
// exit: 17
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    printf("%d", argc);
    for (int i = 1; i < argc; i++) printf(" [%s]", argv[i]);
    printf(" %d\n", argv[argc] == NULL);
    int count, total = 0;
    char what[16];
    while (scanf("%d %15s", &count, what) == 2) {
        printf("%s: %d\n", what, count);
        total += count;
    }
    if (feof(stdin)) printf("end of input\n");
    return total == 17 ? total : EXIT_FAILURE;
}
