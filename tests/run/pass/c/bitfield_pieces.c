// Bit-fields that straddle bytes, in a variable of which the passes make pieces: no access is misaligned.
#include <stdio.h>

struct bits {
    signed first : 8;
    unsigned second : 11;
    unsigned third : 9;
    signed : 0;
};

struct bits whole;

static int sum(int k) {
    struct bits local = {3, 20, 19};
    struct bits *p = &local;
    whole = local;
    return p->second + k + local.third;
}

int main(void) {
    int total = sum(1);
    printf("%d %d %u %u\n", total, whole.first, whole.second, whole.third);
    return 0;
}
