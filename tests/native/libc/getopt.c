// getopt and getopt_long: long and short options, arguments, permutation, errors.
// args: -v -n 12 --name=bob --level 3 pos1 -x pos2 --flag --bad -q -n
#include <stdio.h>
#include <stdlib.h>
#include <getopt.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    static int flag = 0;
    static struct option longs[] = {{"name", required_argument, 0, 'N'}, {"level", required_argument, NULL, 1000}, {"flag", no_argument, &flag, 7}, {"opt", optional_argument, 0, 'o'}, {0, 0, 0, 0}};
    int c, idx = -1;
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":vn:xo::", longs, &idx)) != -1) {
        switch (c) {
            case 'v': puts("verbose");
            break;
            case 'n': printf("n=%d\n", atoi(optarg));
            break;
            case 'N': printf("name=%s idx=%d\n", optarg, idx);
            break;
            case 1000: printf("level=%ld\n", strtol(optarg, NULL, 10));
            break;
            case 'x': puts("x");
            break;
            case 0: printf("flag=%d\n", flag);
            break;
            case '?': printf("unknown %c (%d)\n", optopt ? optopt : '-', optopt);
            break;
            case ':': printf("missing for %c\n", optopt);
            break;
        }
    }
    for (int i = optind; i < argc; i++) printf("arg %s\n", argv[i]);
    optind = 1;
    char *v2[] = {"p", "-a", "file", "-b", "--", "-c", 0};
    while ((c = getopt(6, v2, "+abc")) != -1) printf("short %c\n", c);
    printf("optind %d %s\n", optind, v2[optind]);
    return 5;
}
