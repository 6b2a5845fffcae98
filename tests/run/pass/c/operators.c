/* Every operator, with its precedence, compound forms and the order that the language promises. */
#include <stdio.h>

static int trace[16], traced;
static int t(int v) {
    trace[traced++] = v;
    return v;
}

int main(void) {
    int a = 6, b = 4, c;
    printf("%d %d %d %d %d\n", a + b * 2, (a + b) * 2, a - b - 1, a / b * b, a % b);
    printf("%d %d %d\n", a << 1 + 1, a & b == 4, a & (b == 4));
    printf("%d %d\n", a | b ^ 2 & 7, !a == 0);
    c = a = b;
    printf("%d %d\n", a, c);
    a += 3, a -= 1, a *= 5, a /= 2, a %= 8, a <<= 2, a >>= 1, a &= 14, a |= 1, a ^= 3;
    printf("%d\n", a);
    c = a++ + ++b;
    printf("%d %d %d", a, b, c);
    c = a-- - --b;
    printf(" %d %d %d\n", a, b, c);
    printf("%d\n", -a + +b - ~a);
    printf("%d %d %d %d %d %d\n", a < b, a > b, a <= b, a >= b, a == b, a != b);
    int x = t(0) && t(1), y = t(2) || t(3), z = t(0) || t(4) && t(5);
    printf("%d %d %d:", x, y, z);
    for (int i = 0; i < traced; i++) printf(" %d", trace[i]);
    printf("\n");
    int i = 3;
    int array[4] = {0};
    array[i--] = 7;
    array[--i] += 2;
    printf("%d %d %d\n", array[3], array[1], i);
    int *p = &array[1];
    *p++ = 5;
    *p-- = 6;
    (*p)--;
    printf("%d %d\n", array[1], array[2]);
    printf("%zu %zu %zu\n", sizeof array, sizeof(int[3]), sizeof 'a');
    printf("%d\n", (int)sizeof(a++) + a);
    unsigned u = 5;
    u = -u;
    printf("%u\n", u);
    double d = 7;
    printf("%g %g\n", d / 2, (double)(7 / 2));
    int v = 1 ? 2 : 3, w = 0 ? 2 : 1 ? 4 : 5;
    printf("%d %d %g\n", v, w, 1 ? 1 : 2.0);
    long l = 5;
    l = l + 1 > 5 ? l : 0;
    printf("%ld\n", l);
    char ch = 127;
    ch++;
    printf("%d\n", ch);
    short s = 32767;
    s += 1;
    printf("%d\n", s);
    int chained = 1 < 2 < 3, negative = -5 / 2 * 2 + -5 % 2;
    printf("%d %d\n", chained, negative);
    int statement = ({
        int inner = 20;
        inner + 2;
    });
    printf("%d %d\n", statement, a ?: 9);
    _Static_assert(sizeof(int) == 4, "int");
    printf("%s\n", _Generic(d, int: "int", double: "double", default: "other"));
    return 0;
}
