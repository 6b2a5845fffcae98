// C: initialisers, preprocessor, arrays of variable length, generic selection, jumps, wide texts.
// std: gnu17
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <complex.h>
#include <tgmath.h>
#include <wchar.h>
#include <stdarg.h>
#include <setjmp.h>
#include <errno.h>
#include <ctype.h>
#include <limits.h>
#include <stdalign.h>
#include <search.h>
#include <locale.h>
#include <time.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define STR(x) #x
#define XSTR(x) STR(x)
#define CAT(a, b) a##b
#define LOG(fmt, ...) printf("[%s:%d] " fmt "\n", __func__, 7, ##__VA_ARGS__)
#define FOR_EACH(X) X(red) X(green) X(blue)
#define E(n) CAT(c_, n),
enum color { FOR_EACH(E) c_count };
#define N(n) #n,
static const char *names[] = { FOR_EACH(N) };
struct flex {
    int n;
    double d[];
};
struct node {
    int v;
    struct node *next;
};
struct point {
    int x, y;
};
typedef struct { struct point a, b; char tag[4]; } rect;
union num {
    int i;
    float f;
    unsigned char b[4];
};
typedef int (*binop)(int, int);
static int add(int a, int b) {
    return a + b;
}
static int sub(int a, int b) {
    return a - b;
}
static const struct { const char *n; binop f; } table[] = { { "add", add }, { "sub", sub }, { .f = add, .n = "again" } };
static int sum2(int n, int m, int a[n][m]) {
    int s = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j];
    return s;
}
static double avg(int n, ...) {
    va_list ap;
    va_start(ap, n);
    double s = 0;
    for (int i = 0; i < n; i++) s += va_arg(ap, double);
    va_end(ap);
    return s / n;
}
static struct point mk(int x, int y) {
    return (struct point) {
        x, y
    };
}
static int old_style(a, b) int a;
char b;
{
    return a + b;
}
static inline int sq(int x) {
    return x * x;
}
extern int later;
int later = 11;
static int tent;
static int tent;
int fact(int n) {
    static int calls;
    calls++;
    return n < 2 ? calls : fact(n - 1);
}
static jmp_buf jb;
static void thrower(int k) {
    if (k) longjmp(jb, k);
}
static int cmps(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}
static void inplace(int a[static 3], const char *restrict s) {
    a[0] = (int)strlen(s);
}
_Noreturn static void die(void) {
    puts("die");
    exit(9);
}
_Static_assert(sizeof(int) == 4, "int");
static _Thread_local int tl = 3;
int main(int argc, char **argv) {
    LOG("plain");
    LOG("%d %s", 5, "x");
    printf("%s %s %d\n", XSTR(MAX), STR(a + b), c_count);
    for (int i = 0; i < c_count; i++) printf("%s ", names[i]);
    puts("");
    struct flex *f = malloc(sizeof *f + 3 * sizeof(double));
    f->n = 3;
    for (int i = 0; i < 3; i++) f->d[i] = i * 1.5;
    printf("%zu %g\n", sizeof *f, f->d[2]);
    free(f);
    struct node *h = NULL;
    for (int i = 0; i < 4; i++) {
        struct node *n = malloc(sizeof *n);
        *n = (struct node) {
            i, h
        };
        h = n;
    }
    for (struct node **p = &h; *p;) if ((*p)->v % 2) {
        struct node *d = *p;
        *p = d->next;
        free(d);
    } else p = &(*p)->next;
    for (struct node *n = h, *t; n; n = t) {
        printf("%d ", n->v);
        t = n->next;
        free(n);
    }
    puts("");
    rect r = { .b = { .y = 4 }, .tag = "abc", .a.x = 1 };
    rect q = r;
    q.a = mk(7, 8);
    printf("%d %d %d %s %zu\n", r.a.x, r.b.y, q.a.y, q.tag, offsetof(rect, tag));
    int *cl = (int[]) {
        1, 2, 3
    };
    printf("%d %d\n", cl[2], (struct point) { .y = 5 }.y);
    int arr[] = { [5] = 5, 6, [1] = 1, [2 ... 3] = 9 };
    printf("%zu %d %d %d\n", sizeof arr / sizeof *arr, arr[6], arr[3], arr[0]);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) printf("%s %d ", table[i].n, table[i].f(7, 3));
    puts("");
    int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    printf("%d %g\n", sum2(2, 3, m), avg(3, 1.0, 2.0, 6.0));
    int n = 3;
    int vla[n][n + 1];
    for (int i = 0; i < n; i++) for (int j = 0; j <= n; j++) vla[i][j] = i * j;
    printf("%zu %d %d\n", sizeof vla, vla[2][3], (int)(sizeof vla[0] / sizeof(int)));
    union num u = { .f = 1.0f };
    printf("%x %d\n", u.i, u.b[3]);
    double complex z = 1 + 2 * I;
    z = z * z;
    printf("%g %g %g %g\n", creal(z), cimag(z), cabs(z), carg(conj(z)));
    float fs = sqrt(2.0f);
    printf("%.7f %zu %g\n", fs, sizeof sqrt(2.0f), fabs(-3.5));
    printf("%s %s %s\n", _Generic(1, int: "int", double: "double", default: "other"), _Generic("s", char *: "str", default: "no"), _Generic(1.0f, float: "float", default: "no"));
    printf("%d %d %d %d\n", old_style(1, 'a'), sq(5), later, tent);
    printf("%d\n", fact(5));
    volatile int tries = 0;
    int code = setjmp(jb);
    if (code < 3) {
        tries++;
        thrower(code + 1);
    }
    printf("%d %d\n", code, tries);
    const char *ss[] = { "pear", "apple", "fig" };
    qsort(ss, 3, sizeof *ss, cmps);
    printf("%s %s %s\n", ss[0], ss[1], ss[2]);
    int ia[3];
    inplace(ia, "four");
    printf("%d\n", ia[0]);
    bool b = 7;
    printf("%d %d\n", b, (bool)0.3);
    wchar_t ws[] = L"wide";
    printf("%zu %ls %d\n", wcslen(ws), ws, wcscmp(ws, L"wide"));
    for (int i = 0, j = 10; i < j; i += 3, j--) {
        if (i == 3) continue;
        if (i > 6) break;
        printf("%d:%d ", i, j);
    }
    puts("");
    int k = 0;
    again: if (k++ < 2) goto again;
    printf("%d\n", k);
    switch (k) {
        int unused;
        case 0: puts("0");
        default:
        puts("def");
        case 1: puts("1");
        break;
        case 2: puts("2");
    }
    int d = 0;
    switch (d) do {
        case 0: d++;
        case 1: d++;
    } while (d < 5);
    printf("%d\n", d);
    unsigned x = 0xdeadbeef;
    printf("%08x %u %x\n", x << 4 | x >> 28, (uint8_t)x, ~x & 0xff);
    printf("%d %d\n", INT_MIN / 2, -17 / 5 * 5 + -17 % 5);
    printf("%5.1f|%-8s|%+05d|%#x|%e|%c%c|%%|%p\n", 3.14159, "ab", 42, 255, 12345.678, 'o', 'k', (void *)0);
    printf("%.3s|%*d|%-*d|%.*f\n", "abcdef", 5, 42, 5, 42, 1, 2.55);
    printf("%hhu %hd %ld %llu %zd %jd %Lf\n", (unsigned char)300, (short)40000, -5L, 18446744073709551615ULL, (ssize_t)-1, (intmax_t)7, 1.5L);
    char buf[64];
    sprintf(buf, "%d-%s", 5, "x");
    int got;
    char word[16];
    sscanf("  42 hello", "%d %15s", &got, word);
    printf("%s %d %s\n", buf, got, word);
    char *dup = strndup("abcdef", 3);
    printf("%s %zu\n", dup, strlen(dup));
    free(dup);
    char path[] = "a/b//c";
    for (char *s = path, *t; (t = strsep(&s, "/"));) printf("<%s>", t);
    puts("");
    char *e;
    long v = strtol("12ab", &e, 10);
    printf("%ld %s\n", v, e);
    printf("%s\n", strerror(EACCES));
    memset(buf, 'x', 5);
    buf[5] = 0;
    memmove(buf + 1, buf, 3);
    printf("%s %d %s\n", buf, memcmp("a", "b", 1) < 0, strstr("needle in hay", "in"));
    int (*pa)[3] = m;
    printf("%d %d\n", pa[1][2], (*pa)[1]);
    const int *pc = &m[0][0];
    printf("%td\n", &m[1][1] - pc);
    printf("%zu %zu\n", alignof(double), sizeof(struct { char c; double d; char e; }));
    printf("%d\n", ({ int t = 5; t + 1; }));
    typeof(x) y = 3;
    printf("%u\n", y);
    __auto_type w = 2.5;
    printf("%g\n", w);
    int zero = argc - 1;
    printf("%d\n", zero ?: 8);
    printf("%d\n", __builtin_expect(zero, 0));
    tl++;
    printf("%d %s\n", tl, setlocale(LC_ALL, "C"));
    printf("%s %d\n", argv[argc] == NULL ? "null" : "?", argc);
    die();
}
