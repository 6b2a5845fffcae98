// A variable length array in a loop gives its memory back with each turn; deep recursion is no error.
#include <stdio.h>

static int depth(int n) {
    return n == 0 ? 0 : depth(n - 1) + 1;
}

int main(void) {
    long sum = 0;
    int n = 100000;
    for (int i = 0; i < 20000; i++) {
        int v[n];
        v[i] = i;
        if (i % 3 == 0) continue;
        double w[i + 1];
        w[i] = v[i];
        sum += (long)w[i];
    }
    printf("%ld\n", sum);
    for (int i = 1; i < 200; i++) {
        char a[i * 1000], b[i];
        a[i * 1000 - 1] = 1;
        b[i - 1] = 2;
        sum += a[i * 1000 - 1] + b[i - 1];
    }
    printf("%ld\n", sum);
    printf("%d\n", depth(100000));
    return 0;
}
