// What `_Generic` tells apart: `restrict` behind pointers, qualifiers of the elements of arrays, types that expressions name.
#include <stdio.h>

int *restrict restricted;
const int fixed[3] = {1};
int plain[3], grid[2][3];
volatile int changing[3];
typedef int Three[3];
typedef int *restrict Restricted;
struct Holder { int a[3]; const int c[3]; } holder;
const struct Holder fixed_holder;

static void no_arguments(void) {}
static int said(const char *what) { return puts(what); }

#define ARRAY(x)                                                                                             \
    _Generic((x), int (*)[3]: said("int (*)[3]"), const int (*)[3]: said("const int (*)[3]"),               \
             volatile int (*)[3]: said("volatile int (*)[3]"), int (*)[2][3]: said("int (*)[2][3]"),         \
             int (*const *)[3]: said("int (*const *)[3]"), const int (**)[3]: said("const int (**)[3]"),     \
             default: said("another"))
#define POINTERS(x)                                                                                          \
    _Generic((x), int *(*)[2]: said("int *(*)[2]"), const int *(*)[2]: said("const int *(*)[2]"),            \
             int *const (*)[2]: said("int *const (*)[2]"), default: said("another"))

int main(void) {
    int i = 0;
    long l = 0;
    int (*const to_plain)[3] = &plain;
    const int (*to_fixed)[3] = &fixed;
    const Three *named = &fixed;
    int *(*pa)[2] = 0;
    const int *(*pb)[2] = 0;
    int *const (*pc)[2] = 0;
    Restricted *to_restricted = &restricted;

    printf("%d\n", _Generic(&restricted, int **: 1, default: 2));
    printf("%d\n", _Generic(&restricted, int **: 1, int *restrict *: 2));
    printf("%d\n", _Generic((int **)0, int *restrict *: 1, int **: 2));
    _Generic(to_restricted, int **: said("plain"), int *restrict *: said("restricted"));
    _Generic(restricted, int *restrict: said("qualified"), int *: said("value"));
    printf("%d\n", _Generic(&fixed, int (*)[3]: 1, const int (*)[3]: 2));
    printf("%d\n", _Generic(&fixed, int (*)[3]: 1, default: 2));
    ARRAY(&fixed);
    ARRAY(&plain);
    ARRAY(&changing);
    ARRAY(&grid);
    ARRAY(grid);
    ARRAY(&holder.a);
    ARRAY(&holder.c);
    ARRAY(&fixed_holder.a);
    ARRAY(named);
    ARRAY(to_plain);
    ARRAY(&to_plain);
    ARRAY(&to_fixed);
    ARRAY(&i);
    POINTERS(pa);
    POINTERS(pb);
    POINTERS(pc);
    _Generic(&i, int (*): said("int (*)"), default: said("another"));
    _Generic(no_arguments, void (*)(void): said("function"), default: said("another"));
    printf("%d %d\n", _Generic(i, __typeof__(i): 1, default: 2), _Generic(i, __typeof__(l): 1, default: 2));
    printf("%d\n", _Generic(&i, __typeof__(i) *: 1, default: 2));
    printf("%d\n", _Generic(l, __typeof__(i): 1, __typeof__(l): 2, default: 3));
    printf("%d\n", _Generic(i, __typeof__(int): 1, default: 2));
    return 0;
}
