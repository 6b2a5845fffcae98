// What runs before and after `main` by attributes, and at the end of a variable's scope.
#include <cstdio>
#include <cstdlib>
struct Told {
    const char *name;
    Told(const char *name) : name(name) { printf("made %s\n", name); }
    ~Told() { printf("gone %s\n", name); }
};
Told plain("plain");
Told late __attribute__((init_priority(300)))("late");
Told early __attribute__((init_priority(200)))("early");
__attribute__((constructor(250))) void between() { printf("between\n"); }
__attribute__((constructor)) static void without() { printf("without\n"); }
[[gnu::constructor]] void again() { printf("again\n"); }
__attribute__((destructor)) static void last() { printf("last\n"); }
__attribute__((destructor(300))) void later() { printf("later\n"); }
__attribute__((__destructor__(200))) void latest() { printf("latest\n"); }
__attribute__((noinline, constructor)) void both_named() { printf("both\n"); }
Told behind("behind");

static void clean(int **p) { printf("clean %d\n", **p); }
static void closing(const char **name) { printf("closing %s\n", *name); }

static int leave(int n) {
    int value = n;
    __attribute__((cleanup(clean))) int *p = &value;
    [[gnu::cleanup(closing)]] const char *name = "leave";
    if (n == 2)
        return n * 10;
    for (int i = 0; i < 3; i++) {
        int inner = 100 + i;
        int *q __attribute__((cleanup(clean))) = &inner;
        if (i == 1)
            break;
    }
    value++;
    return value;
}

static void thrown() {
    int value = 77;
    __attribute__((cleanup(clean))) int *p = &value;
    Told told("in thrown");
    throw 3;
}

int main() {
    atexit([] { printf("at exit\n"); });
    printf("main %d\n", leave(1));
    printf("main %d\n", leave(2));
    try {
        thrown();
    } catch (int n) {
        printf("caught %d\n", n);
    }
    return 0;
}
