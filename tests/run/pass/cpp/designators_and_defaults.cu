// In lists with designators each element and member gets what is written or its default, once.
// std: c++14
#include <cstdio>

static int made;

struct Counted {
    int n = ++made;
    int m = 4;
};

struct Outer {
    Counted first, second;
    int rest[3];
};

struct Plain {
    int x, y;
};

int main() {
    Counted a[4] = {[2] = {40, 41}, [0] = {}};
    std::printf("%d %d %d %d, %d made\n", a[0].n, a[1].n, a[2].n, a[3].n, made);
    Outer o = {.first = {1, 2}, .first.m = 3, .rest = {5, 6, 7}, .rest = {[1] = 8}};
    std::printf("%d %d %d %d %d %d\n", o.first.n, o.first.m, o.second.m, o.rest[0], o.rest[1], o.rest[2]);
    Plain p[4] = {Plain{1, 2}, Plain{3, 4}, [0] = Plain{5, 6}};
    std::printf("%d %d %d\n", p[0].x, p[1].x, p[2].x);
    Plain q[3] = {[0 ... 1].y = 3, 9};
    std::printf("%d %d %d\n", q[0].y, q[1].y, q[2].x);
}
