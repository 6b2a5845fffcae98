/* Floating numbers to 128-bit integers: their upper halves are within range. */
#include <stdio.h>

typedef unsigned __int128 u128;

static void show(u128 x) {
    printf("%016llx%016llx\n", (unsigned long long)(x >> 64), (unsigned long long)x);
}

int main(int argc, char **argv) {
    (void)argv;
    double two = argc + 1, power = 1;
    for (int i = 0; i < 126; i++) {
        power *= two;
    }
    show((u128)(__int128)(power * 1.5));
    show((u128)(__int128)(power * -2));
    show((u128)(power * 2));
    show((u128)(power * 3));
    show((u128)(float)(power * 3));
    long double wide = (long double)power;
    show((u128)(__int128)(wide * 1.5L));
    show((u128)(__int128)(wide * -2));
    show((u128)(wide * 3));
    return 0;
}
