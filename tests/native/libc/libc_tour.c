// The C library as programs use it: sorting, jumps, random numbers, conversions, scanning, printing, files.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#include <setjmp.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <inttypes.h>
#include <time.h>
#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <strings.h>
struct rec {
    char name[8];
    int age;
    double w;
};
static int by_age(const void *a, const void *b) {
    return ((const struct rec *)a)->age - ((const struct rec *)b)->age;
}
static int by_int(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static jmp_buf env;
static int depth;
static void deep(int n) {
    if (n == 0) longjmp(env, 42);
    depth++;
    deep(n - 1);
}
static int vsum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int s = 0;
    while (n--) s += va_arg(ap, int);
    va_end(ap);
    return s;
}
static int myprintf(const char *f, ...) {
    char b[100];
    va_list ap, aq;
    va_start(ap, f);
    va_copy(aq, ap);
    int n = vsnprintf(b, sizeof b, f, ap);
    int m = vprintf(f, aq);
    va_end(ap);
    va_end(aq);
    printf("[%s] %d %d\n", b, n, m);
    return n;
}
static void bye(void) {
    puts("bye");
}
static void bye2(void) {
    puts("bye2");
}
int main(void) {
    struct rec r[] = {{"ann", 30, 1.5}, {"bob", 20, 2.5}, {"cyd", 40, 3.5}, {"dan", 10, 0.5}};
    qsort(r, 4, sizeof *r, by_age);
    for (int i = 0; i < 4; i++) printf("%s %d %g\n", r[i].name, r[i].age, r[i].w);
    int v[] = {5, 3, 9, 1, 7, 3};
    qsort(v, 6, sizeof(int), by_int);
    int key = 7;
    int *p = bsearch(&key, v, 6, sizeof(int), by_int);
    printf("%td\n", p ? p - v : -1);
    key = 4;
    printf("%p\n", bsearch(&key, v, 6, sizeof(int), by_int));
    int j = setjmp(env);
    if (j == 0) deep(5);
    else printf("jumped %d depth %d\n", j, depth);
    srand(42);
    for (int i = 0; i < 5; i++) printf("%d ", rand());
    puts("");
    srand(1);
    printf("%d %d\n", rand(), RAND_MAX);
    unsigned seed = 7;
    int ra = rand_r(&seed);
    printf("%d %u\n", ra, seed);
    srandom(3);
    printf("%ld\n", random());
    srand48(5);
    double dr = drand48();
    long lr = lrand48(), mr = mrand48();
    printf("%.10f %ld %ld\n", dr, lr, mr);
    char *end;
    errno = 0;
    long sl = strtol("  -0x1fz", &end, 16);
    printf("%ld %s|", sl, end);
    sl = strtol("077", &end, 0);
    printf("%ld %s|", sl, end);
    printf("%lu|", strtoul("-1", NULL, 10));
    sl = strtol("99999999999999999999", NULL, 10);
    printf("%ld %d|", sl, errno == ERANGE);
    printf("%lld|%llu\n", strtoll("-9223372036854775808", NULL, 10), strtoull("18446744073709551615", 0, 10));
    double sd = strtod("1.5e3xyz", &end);
    printf("%g %s|", sd, end);
    printf("%g|%g|%g|", strtod("0x1.8p3", 0), strtod("inf", 0), strtod("-nan", 0));
    errno = 0;
    sd = strtod("1e400", 0);
    printf("%g %d\n", sd, errno == ERANGE);
    printf("%.3f %Lg %d\n", strtof("3.14159", 0), strtold("2.5", 0), atoi("12abc"));
    int a, b, n;
    char w[20], cset[20], c1;
    float f;
    double d;
    long l;
    unsigned u;
    short h;
    size_t z;
    n = sscanf("10 20 hello 3.5 2.25 x", "%d%d%s%f%lf %c", &a, &b, w, &f, &d, &c1);
    printf("%d %d %d %s %g %g %c\n", n, a, b, w, f, d, c1);
    n = sscanf("12:34:56", "%d:%d:%d", &a, &b, &key);
    printf("%d %d %d %d\n", n, a, b, key);
    n = sscanf("abc123def", "%[a-z]%d%[^\n]", w, &a, cset);
    printf("%d %s %d %s\n", n, w, a, cset);
    n = sscanf("ff 0x1A 017 -5", "%x %i %o %hd", &u, &a, &b, &h);
    printf("%d %u %d %d %d\n", n, u, a, b, h);
    n = sscanf("skip 7 12345", "%*s %d %2d%n", &a, &b, &key);
    printf("%d %d %d %d\n", n, a, b, key);
    n = sscanf("", "%d", &a);
    printf("%d\n", n);
    n = sscanf("x", "%d", &a);
    printf("%d\n", n);
    n = sscanf("99 %", "%ld %% %zu", &l, &z);
    printf("%d %ld\n", n, l);
    n = sscanf("5,6", "%d,%d", &a, &b);
    printf("%d %d\n", a, b);
    n = sscanf("[x]", "[%[^]]]", w);
    printf("%d %s\n", n, w);
    printf("%5d|%-5d|%05d|%+d|% d|%x|%#X|%#o|%c|%%|%s|%.2s|%10s|%-10s|\n", 42, 42, 42, 42, 42, 255, 255, 8, 'q', "str", "truncate", "right", "left");
    printf("%f|%.0f|%.3e|%G|%g|%a|%10.2f|%-10.2f|%+.1f|%Lf\n", 3.14159, 2.5, 12345.678, 1e-10, 100000000.0, 1.0, 2.345, 2.345, 1.25, 1.5L);
    printf("%hhd %hd %ld %lld %zu %td %jd %" PRIu64 " %*d %-*d| %.*f\n", (char)300, (short)70000, 1L << 40, 1LL << 50, sizeof(int), (ptrdiff_t)-3, (intmax_t)9, UINT64_MAX, 6, 1, 6, 2, 2, 3.14159);
    char buf[64];
    n = snprintf(buf, 8, "%s", "truncated string");
    printf("%d [%s]\n", n, buf);
    myprintf("%d-%s-%g\n", 1, "two", 3.0);
    printf("%d\n", vsum(4, 1, 2, 3, 4));
    char s[] = "a,b;;c d";
    for (char *t = strtok(s, ",; "); t; t = strtok(NULL, ",; ")) printf("<%s>", t);
    puts("");
    char s2[] = "k=v=w";
    char *sp, *t = strtok_r(s2, "=", &sp);
    printf("%s %s\n", t, sp);
    printf("%s %s %s %zu %zu %s\n", strchr("hello", 'l'), strrchr("hello", 'l'), strstr("haystack", "st"), strspn("aabbc", "ab"), strcspn("hello", "l"), strpbrk("hello", "ol"));
    printf("%d %d %d\n", strcmp("a", "b") < 0, strncmp("abc", "abd", 2), strcasecmp("HeLLo", "hEllO"));
    char cat[20] = "x";
    strcat(cat, "yz");
    strncat(cat, "12345", 2);
    printf("%s %zu\n", cat, strnlen(cat, 3));
    char *dup = strdup("dup");
    printf("%s\n", dup);
    free(dup);
    memmove(cat + 1, cat, 4);
    printf("%s %d\n", cat, memcmp("ab", "ac", 2) < 0);
    printf("%s|%s\n", strerror(ENOENT), strerror(EINVAL));
    for (const char *q = "aZ5 _\n"; *q; q++) printf("%d%d%d%d%d%d ", !!isalpha(*q), !!isdigit(*q), !!isspace(*q), !!isupper(*q), !!ispunct(*q), !!isxdigit(*q));
    printf("%c%c\n", toupper('a'), tolower('Z'));
    div_t dv = div(-7, 2);
    ldiv_t lv = ldiv(7L, -2L);
    printf("%d %d %ld %ld %d %ld\n", dv.quot, dv.rem, lv.quot, lv.rem, abs(-3), labs(-4L));
    time_t t0 = 86400 * 365;
    struct tm *g = gmtime(&t0);
    char tb[64];
    strftime(tb, sizeof tb, "%Y-%m-%d %H:%M:%S %a %b %j", g);
    printf("%s\n", tb);
    struct tm tm = {0};
    tm.tm_year = 100;
    tm.tm_mday = 1;
    setenv("TZ", "UTC", 1);
    tzset();
    long mk = (long)mktime(&tm);
    printf("%ld %s", mk, asctime(&tm));
    printf("%g\n", difftime(10, 4));
    printf("%s %d\n", getenv("NO_SUCH_VAR") ? "set" : "unset", setenv("MY_V", "val", 1));
    printf("%s\n", getenv("MY_V"));
    long double ld = 1.0L / 3;
    printf("%.20Lf\n", ld);
    printf("%g %g %g\n", fmod(7.5, 2), ldexp(1.5, 4), hypot(3, 4));
    int e;
    double m = frexp(48.0, &e);
    printf("%g %d\n", m, e);
    double ip;
    m = modf(3.75, &ip);
    printf("%g %g %ld %g\n", m, ip, lround(2.5), nearbyint(2.5));
    printf("%d %d %d %d\n", isnan(NAN), isinf(INFINITY), signbit(-0.0) != 0, fpclassify(1.0) == FP_NORMAL);
    FILE *fp = fopen("cudair_native_libc.tmp", "w+");
    fprintf(fp, "line one\nline two 2\n3 4.5 six\n");
    fputs("puts\n", fp);
    fputc('c', fp);
    putc('\n', fp);
    fwrite("bin\0x", 1, 5, fp);
    long pos = ftell(fp);
    rewind(fp);
    char line[64];
    fgets(line, sizeof line, fp);
    printf("%s", line);
    fscanf(fp, "line %s %d", w, &a);
    printf("%s %d\n", w, a);
    fscanf(fp, "%d %lf %s", &a, &d, w);
    printf("%d %g %s\n", a, d, w);
    int ch = fgetc(fp);
    ungetc(ch, fp);
    fseek(fp, -5, SEEK_END);
    n = fread(buf, 1, 10, fp);
    printf("%d %ld %d %d\n", n, pos, feof(fp) != 0, ferror(fp));
    clearerr(fp);
    fclose(fp);
    char *lp = NULL;
    size_t cap = 0;
    fp = fopen("cudair_native_libc.tmp", "r");
    ssize_t len;
    while ((len = getline(&lp, &cap, fp)) > 0 && len < 30) {
        printf("%zd ", len);
    }
    puts("");
    free(lp);
    fclose(fp);
    printf("%d %d\n", remove("cudair_native_libc.tmp"), fopen("/nonexistent/x", "r") == NULL);
    perror("open");
    fflush(stdout);
    setvbuf(stdout, NULL, _IONBF, 0);
    printf("unbuffered\n");
    fprintf(stderr, "err %d\n", 1);
    void *al = aligned_alloc(64, 128);
    printf("%d\n", (int)((uintptr_t)al % 64));
    free(al);
    posix_memalign(&al, 32, 10);
    free(al);
    int *cz = calloc(4, 4);
    cz = realloc(cz, 64);
    printf("%d\n", cz[3]);
    free(cz);
    atexit(bye);
    atexit(bye2);
    assert(1 == 1);
    fputs("no newline at end", stdout);
    exit(3);
}
