/* Floating point: arithmetic, conversions, special values, printing. */
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    float f = 0.1f;
    double d = 0.1;
    printf("%.10f %.20f\n", f, d);
    printf("%d %d\n", f == d, f == (float)d);
    f = 16777216.0f;
    f += 1.0f;
    printf("%.1f\n", f);
    printf("%d %d %d\n", (int)3.99, (int)-3.99, (int)2.5f);
    printf("%u\n", (unsigned)4000000000.0);
    printf("%g %g %g\n", 1e300 * 1e10, -1e300 * 1e10, 0.0 * -1.0);
    double nan = sqrt(-1.0);
    printf("%d %d %d\n", nan == nan, nan != nan, nan < 1.0);
    printf("%.17g %.17g\n", DBL_EPSILON, DBL_MAX);
    printf("%.9g %.9g\n", FLT_MIN, FLT_MAX);
    double sum = 0;
    for (int i = 0; i < 10; i++) sum += 0.1;
    printf("%.17g %d\n", sum, sum == 1.0);
    printf("%a %a\n", 1.0, 0.3);
    printf("%f\n", 7 / 2 + 7 / 2.0);
    long long big = 9007199254740993LL;
    printf("%.1f %.1f\n", (double)big, (float)big);
    printf("%.6f %.6f\n", (double)(float)1.123456789, (float)3.0 / 7);
    long double x = 1.0L / 3;
    printf("%.20Lf\n", x);
    f = 5;
    f /= 2;
    f -= 0.25f;
    f *= f;
    printf("%g\n", f);
    d = 5;
    d++;
    --d;
    d++;
    printf("%g %g\n", d, -d);
    int i = 7;
    i /= 2.0;
    i *= 1.5;
    printf("%d\n", i);
    unsigned char c = 200;
    c *= 1.2;
    printf("%d\n", c);
    printf("%.3e %.0f %G\n", 123456.789, 0.5, 1e-10);
    return 0;
}
