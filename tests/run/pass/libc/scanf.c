/* The scanf family: conversions, widths, suppression, sets, literals, results. */
#include <stdio.h>

int main(void) {
    int a = 0, b = 0, c = 0, n = -1;
    unsigned u = 0;
    long l = 0;
    long long ll = 0;
    short s = 0;
    signed char hh = 0;
    float f = 0;
    double d = 0;
    char word[16] = "", set[16] = "", ch = 0, two[3] = "";
    printf("%d: ", sscanf("12 -34 0x1f", "%d %d %i", &a, &b, &c));
    printf("%d %d %d\n", a, b, c);
    printf("%d: ", sscanf("077 ff 4000000000", "%o %x %u", &a, &b, &u));
    printf("%d %d %u\n", a, b, u);
    printf("%d: ", sscanf("-5 6000000000 300 7", "%ld%lld%hd%hhd", &l, &ll, &s, &hh));
    printf("%ld %lld %d %d\n", l, ll, s, hh);
    printf("%d: ", sscanf("3.5 -2e3", "%f %lf", &f, &d));
    printf("%g %g\n", f, d);
    printf("%d: ", sscanf("  word x yz", "%s %c%c", word, &ch, &two[0]));
    printf("%s %c '%c'\n", word, ch, two[0]);
    printf("%d: ", sscanf("abcdef123", "%3s%[a-z]%n", word, set, &n));
    printf("%s %s %d\n", word, set, n);
    printf("%d: ", sscanf("skip 9", "%*s %d", &a));
    printf("%d\n", a);
    printf("%d: ", sscanf("12:34", "%d:%d", &a, &b));
    printf("%d %d\n", a, b);
    printf("%d: ", sscanf("12-34", "%d:%d", &a, &b));
    printf("%d %d\n", a, b);
    printf("%d %d\n", sscanf("", "%d", &a), sscanf("x", "%d", &a));
    printf("%d: ", sscanf("key=value;", "%[^=]=%[^;]", word, set));
    printf("%s %s\n", word, set);
    printf("%d: ", sscanf("12345", "%2d%3d", &a, &b));
    printf("%d %d\n", a, b);
    printf("%d: ", sscanf("100%", "%d%%", &a));
    printf("%d\n", a);
    return 0;
}
