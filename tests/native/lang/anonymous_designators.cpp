// std: c++20
// Designators that lead into one anonymous struct in turn leave the others' values and defaults.
#include <cstdio>

static int calls;
static int next() { return ++calls; }

struct Parts {
    struct {
        int a = 5;
        int b = 7;
    };
    union {
        int whole = 3;
        char bytes[4];
    };
    int c = next();
};

static void show(const Parts &p) { std::printf("%d %d %d %d, %d calls\n", p.a, p.b, p.whole, p.c, calls); }

int main() {
    show(Parts{.a = 1, .b = 2});
    show(Parts{.a = 1});
    show(Parts{.b = 3, .whole = 9});
    show(Parts{.a = 4, .b = 6, .c = 8});
    show(Parts{.bytes = {1}, .c = 2});
    show(Parts{});
}
