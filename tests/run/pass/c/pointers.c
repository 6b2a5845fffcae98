/* Pointers and arrays: arithmetic, decay, arrays of arrays, pointers to arrays, strings, casts. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static int sum(const int *p, size_t n) {
    int total = 0;
    while (n--) total += *p++;
    return total;
}

static int corner(int m[][3], int rows) { return m[rows - 1][2]; }

static void fill(int (*row)[4], int value) {
    for (size_t i = 0; i < sizeof *row / sizeof **row; i++) (*row)[i] = value;
}

static void set(int **where, int *to) { *where = to; }

int main(void) {
    int a[5] = {1, 2, 3, 4, 5};
    int *p = a, *q = a + 5;
    printf("%td %d %d %d\n", q - p, *(p + 2), p[3], 2[a]);
    printf("%d ", *p++);
    printf("%d ", *++p);
    printf("%d ", (*p)++);
    printf("%d\n", a[2]);
    printf("%d\n", sum(a, 5));
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    printf("%d %d %zu %zu\n", corner(m, 2), *(*(m + 1) + 1), sizeof m, sizeof m[0]);
    int grid[3][4];
    for (int i = 0; i < 3; i++) fill(&grid[i], i * i);
    printf("%d %d %d\n", grid[0][3], grid[1][0], grid[2][2]);
    set(&p, &a[4]);
    printf("%d\n", *p);
    char text[] = "hello", *s = text;
    while (*s) *s = *s - 'a' + 'A', s++;
    printf("%s %td %zu\n", text, s - text, sizeof text);
    const char *names[] = {"zero", "one", "two"};
    const char **n = names;
    printf("%s %c %s\n", n[1], *n[2], *(n + 2) + 1);
    void *v = a;
    printf("%d\n", *((int *)v + 1));
    unsigned value = 0x01020304;
    unsigned char *bytes = (unsigned char *)&value;
    printf("%d %d\n", bytes[0], bytes[3]);
    int(*pa)[5] = &a;
    printf("%d %d\n", (*pa)[3], (int)(sizeof(*pa) / sizeof(int)));
    int *none = NULL;
    printf("%d %d %d\n", none == 0, !none, none ? 1 : 2);
    int cube[2][2][2], k = 0;
    for (int *c = &cube[0][0][0]; c < &cube[0][0][0] + 8; c++) *c = k++;
    printf("%d %d\n", cube[1][0][1], cube[0][1][0]);
    size_t address = (size_t)p;
    printf("%d\n", (int *)address == p);
    ptrdiff_t back = &a[1] - &a[4];
    printf("%td\n", back);
    char buffer[32];
    memset(buffer, 'x', sizeof buffer);
    memcpy(buffer, "abc", 4);
    printf("%s %c\n", buffer, buffer[4]);
    int count = 4;
    int variable[count];
    for (int i = 0; i < count; i++) variable[i] = i * 3;
    printf("%d %zu\n", variable[3], sizeof variable);
    return 0;
}
