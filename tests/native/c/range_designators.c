// Designators behind a range lead into each of its elements; what follows goes on in the last.
#include <stdio.h>

struct Pair { int x, y; };
struct Rows { struct Pair p[3]; int n; };

#define LISTS(three)                                                                                         \
    struct Pair each[4] = {[0 ... 2].x = three};                                                             \
    struct Pair later[4] = {[0 ... 2].x = three, [1].y = 4};                                                 \
    struct Pair whole[4] = {[0 ... 2] = {1, 2}, [1].y = three};                                              \
    struct Pair goes_on[3] = {[0 ... 1].x = three, 4, 5};                                                    \
    struct Rows inside = {.p[0 ... 1].y = three, .n = 4};                                                    \
    int twice[3][4] = {[0 ... 1][1 ... 2] = three, 7, [2][3] = 1};                                           \
    int braced[3][2] = {[0 ... 2] = {[1] = 3}, [1] = {three}};                                              \
    int within[3][2] = {[1][0 ... 1] = three, 8};

#define SHOW(object) show(#object, (const int *)&(object), sizeof(object) / sizeof(int))
#define SHOW_ALL()                                                                                           \
    (SHOW(each), SHOW(later), SHOW(whole), SHOW(goes_on), SHOW(inside), SHOW(twice), SHOW(braced), SHOW(within))

static void show(const char *name, const int *words, size_t count) {
    printf("%s:", name);
    for (size_t n = 0; n < count; n++) printf(" %d", words[n]);
    puts("");
}

LISTS(3)

static void in_code(int three) {
    LISTS(three)
    SHOW_ALL();
}

int main(void) {
    SHOW_ALL();
    in_code(3);
    return 0;
}
