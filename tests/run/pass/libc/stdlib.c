/* stdlib.h: conversions, allocation, sorting, random numbers, environment. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int descending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

int main(void) {
    printf("%d %ld %lld %g\n", atoi("  -42abc"), atol("123456789012"), atoll("-1"), atof("2.5e3x"));
    char *end;
    printf("%ld", strtol("0x1fz", &end, 0));
    printf(" %s", end);
    printf(" %ld", strtol("777", &end, 8));
    printf(" %lu", strtoul("zz", &end, 36));
    printf(" %ld", strtol("none", &end, 10));
    printf(" '%s'\n", end);
    errno = 0;
    printf("%d", strtol("99999999999999999999", NULL, 10) == LONG_MAX);
    printf(" %d\n", errno == ERANGE);
    printf("%g", strtod("1.5e2rest", &end));
    printf(" %s\n", end);
    printf("%g %g %g\n", strtod("inf", NULL), strtod("-0x1p4", NULL), (double)strtof("0.1", NULL));
    printf("%d %ld %lld\n", abs(-5), labs(-6L), llabs(-7LL));
    div_t q = div(17, -5);
    ldiv_t lq = ldiv(-17, 5);
    printf("%d %d %ld %ld\n", q.quot, q.rem, lq.quot, lq.rem);
    int *p = calloc(4, sizeof *p);
    p[3] = 9;
    p = realloc(p, 8 * sizeof *p);
    printf("%d %d\n", p[0], p[3]);
    free(p);
    void *aligned = NULL;
    printf("%d %d\n", posix_memalign(&aligned, 64, 100), (int)((size_t)aligned % 64));
    free(aligned);
    aligned = aligned_alloc(32, 64);
    printf("%d\n", (int)((size_t)aligned % 32));
    free(aligned);
    double values[] = {2.5, -1, 7, 3.25, 0};
    qsort(values, 5, sizeof *values, descending);
    for (int i = 0; i < 5; i++) printf("%g ", values[i]);
    printf("\n");
    srand(1);
    int r1 = rand(), r2 = rand();
    srand(1);
    int r3 = rand(), r4 = rand();
    printf("%d %d %d %d %d\n", r1 == r3, r2 == r4, r1 >= 0 && r1 <= RAND_MAX, r1, r2);
    srand(42);
    printf("%d ", rand() % 100);
    printf("%d\n", rand() % 100);
    printf("%d\n", getenv("CUDAIR_SURELY_NOT_SET") == NULL);
    return 0;
}
