// Statements of C: loops with jumps, switches that fall through, gotos into and out of blocks, Duff's device.
// args: one two-three 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void copy(char* to, const char* from, int count)
{
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7:      *to++ = *from++;
    case 6:      *to++ = *from++;
    case 5:      *to++ = *from++;
    case 4:      *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
}

static int classify(int c)
{
    switch (c) {
    case 'a' ... 'f': return 1;
    case '0':
    case '1': c++; /* falls through */
    case '2': return c;
    default:
        if (c < 0) {
        case 'z': return -1;
        }
    }
    return 0;
}

static int search(int rows, int columns, int wanted)
{
    int tried = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            if ((i ^ j) % 3 == 2) continue;
            tried++;
            if (i * columns + j == wanted) goto found;
        }
    return -tried;
found:
    return tried;
}

int main(int argc, char** argv)
{
    for (int i = 1; i < argc; i++) printf("%d: %s (%zu)\n", i, argv[i], strlen(argv[i]));
    char text[32] = "";
    copy(text, "a device of Tom Duff", 21);
    puts(text);
    for (const char* p = "ag012z~"; *p; p++) printf("%d ", classify(*p));
    printf("%d\n", classify(-5));
    printf("%d %d\n", search(7, 9, 44), search(3, 3, 100));
    int n = 0;
    do {
        if (n++ == 2) continue;
        if (n > 5) break;
    } while (n < 100);
    printf("%d\n", n);
    void* labels[] = {&&first, &&second};
    int step = 0;
again:
    goto* labels[step];
first:
    puts("first");
    step = 1;
    goto again;
second:
    puts("second");
    return atoi(argv[3]) + (argc == 4 ? 3 : 0);
}
