/* Initialisers of globals and statics: constants, addresses, strings, designators, tentative definitions. */
#include <stddef.h>
#include <stdio.h>

int tentative;
int tentative;
int defined = 3;
static int *pointer = &defined;
static const char *text = "text" " and more";
char letters[] = "abc";
char padded[6] = "ab";
static char exact[3] = "xyz";
int table[3][2] = {{1, 2}, {3}};
static int flat[2][2] = {1, 2, 3, 4};
struct Item { const char *name; int value; int *where; } items[] = {
    {"first", 1, &defined}, {.value = 2, .name = "second"}, {"third", sizeof(int) * 2, &table[1][0]}};
double numbers[] = {1, 2.5, 3e2, 0x1p3};
int computed = 3 * 4 + (5 > 2 ? 100 : 0) - sizeof(char);
static int (*function)(const char *, ...) = printf;
int *middle = &table[0][1] + 1;
unsigned long big = 1UL << 40;
wchar_t const wide[] = L"wide";
union { int i; char c[4]; } both = {.c = {1, 2}};
enum { A = 1, B = A << 3, C };
int enumerated[C] = {[B] = 5};

static int next(void) {
    static int state[2] = {1, 1};
    int sum = state[0] + state[1];
    state[0] = state[1];
    return state[1] = sum;
}

int main(void) {
    printf("%d %d %d\n", tentative, *pointer, computed);
    printf("%s %s %s %.3s %zu %d\n", text, letters, padded, exact, sizeof padded, padded[5]);
    printf("%d %d %d\n", table[1][0], table[1][1], flat[1][0]);
    for (int i = 0; i < 3; i++)
        printf("%s %d %d\n", items[i].name, items[i].value, items[i].where ? *items[i].where : -1);
    printf("%g %g %g %g\n", numbers[0], numbers[1], numbers[2], numbers[3]);
    function("%d %lu\n", *middle, big);
    printf("%zu %d\n", sizeof wide / sizeof *wide, wide[3] == L'e');
    printf("%d %d\n", both.i, enumerated[8]);
    *pointer += 4;
    printf("%d\n", defined);
    for (int i = 0; i < 5; i++) printf("%d ", next());
    extern int declared_later;
    printf("%d\n", declared_later);
    return 0;
}
int declared_later = 77;
