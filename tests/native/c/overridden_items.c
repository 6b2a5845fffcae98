// A later item of a list counts: braces around it reset what they leave out, and what it replaces is not evaluated.
#include <stdio.h>

struct Pair { int x, y; };
struct Outer { struct Pair p; int c; };
union Either { int i; struct Pair p; char text[8]; };
struct Bits { unsigned a : 3, b : 5, c : 9; };
struct Mixed { const char *name; union Either u; int list[3]; };

#define SHOW(object) show(#object, &(object), sizeof(object))

#define LISTS(one)                                                                                           \
    struct Pair pairs[3] = {[0] = {one, 2}, [0].y = 3, [0] = {.y = one + 3}};                                \
    struct Outer braced = {.p = {one, 2}, .c = 7, .p = {.y = 5}};                                            \
    struct Outer member = {.p = {one, 2}, .c = 4, .p.y = 3};                                                 \
    struct Outer member_first = {.p.x = one, .p = {.y = 5}, .c = 1, .c = 2};                                 \
    struct Outer empty = {.p = {one, 2}, .c = 3, .p = {}};                                                   \
    union Either same = {.p = {one, 2}, .p.y = 5};                                                           \
    union Either back = {.i = one, .p = {.y = 1}};                                                           \
    int numbers[3] = {[0] = one, [0] = 2, [1] = 3};                                                          \
    int rows[2][2] = {[0] = {one, 2}, [0] = {[1] = 3}};                                                      \
    int mixed[2][2] = {{one, 2}, [0][1] = 5, 6, [0] = {7}};                                                  \
    int again[4] = {one, 2, 3, [0] = 5};                                                                     \
    int backwards[4] = {[3] = one, [0] = 2, 3};                                                              \
    char texts[2][4] = {"abc", [0] = "x", "de", [1][0] = 'f'};

#define SHOW_ALL()                                                                                           \
    do {                                                                                                     \
        SHOW(pairs), SHOW(braced), SHOW(member), SHOW(member_first), SHOW(empty), SHOW(same), SHOW(back);    \
        SHOW(numbers), SHOW(rows), SHOW(mixed), SHOW(again), SHOW(backwards), SHOW(texts);                   \
    } while (0)

static void show(const char *name, const void *object, size_t size) {
    const unsigned char *bytes = object;
    printf("%s:", name);
    for (size_t n = 0; n < size; n++) printf(" %d", bytes[n]);
    puts("");
}

LISTS(1)
struct Mixed kept = {"first", {.i = 3}, {1, 2, 3}, .list = {[1] = 9}, .name = "second", .u.p = {4, 5}};
struct Mixed dropped = {"first", {.p = {1, 2}}, {1, 2, 3}, .name = 0, .u = {.text = "ab"}};
struct Bits bits = {1, 2, 3, .b = 31, .b = {4}};

static int calls;
static int next(void) { return ++calls; }
static struct Pair make(int x) { return (struct Pair){x, next()}; }

static void in_code(int one) {
    LISTS(one)
    SHOW_ALL();
    struct Mixed kept = {"first", {.i = one}, {one, 2, 3}, .list = {[1] = 9}, .name = "second", .u.p = {4, 5}};
    printf("%s %d %d %d %d %d\n", kept.name, kept.u.p.x, kept.u.p.y, kept.list[0], kept.list[1], kept.list[2]);
    struct Bits bits = {one, 2, 3, .b = 31, .b = {4}};
    printf("%d %d %d\n", bits.a, bits.b, bits.c);
}

int main(int argc, char **argv) {
    (void)argv;
    SHOW_ALL();
    printf("%s %d %d %d %d %d\n", kept.name, kept.u.p.x, kept.u.p.y, kept.list[0], kept.list[1], kept.list[2]);
    printf("%d %s %d\n", dropped.name == 0, dropped.u.text, dropped.list[2]);
    printf("%d %d %d\n", bits.a, bits.b, bits.c);
    in_code(argc);
    {
        int l[3] = {[0] = next(), [0] = next(), [1] = next()};
        printf("%d %d %d, %d calls\n", l[0], l[1], l[2], calls);
    }
    {
        struct Outer o = {.p = {next(), next()}, .p.x = next(), .p = {.y = next()}};
        printf("%d %d, %d calls\n", o.p.x, o.p.y, calls);
    }
    {
        struct Outer o = {.p = make(8), .c = next(), .p = {.y = 3}};
        printf("%d %d %d, %d calls\n", o.p.x, o.p.y, o.c, calls);
    }
    {
        union Either u = {.i = next(), .p.x = 5, .p.y = 6};
        printf("%d %d, %d calls\n", u.p.x, u.p.y, calls);
    }
    {
        int *q = (int[3]){[0] = argc, [0] = 4};
        printf("%d %d %d\n", q[0], q[1], q[2]);
    }
    return 0;
}
