// A function of many registers calls itself: machine code leaves where there is no room for the registers of one more.
// run-flags: --engine jit
#include <cstdio>

static int wide(int n, int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k) {
    if (n == 0) return a + b;
    int r = wide(n - 1, b, c, d, e, f, g, h, i, j, k, a ^ n);
    return (r ^ (a + b * 3 + c * 5 + d * 7 + e * 9 + f + g + h + i + j + k + n)) & 0xffffff;
}

int main() {
    for (int i = 0; i < 3000; i += 100) printf("%d\n", wide(i, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
}
