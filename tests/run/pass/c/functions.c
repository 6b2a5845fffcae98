/* Functions: recursion, pointers to functions, variadic ones, statics, tables, callbacks. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
static int even(unsigned n);
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int ackermann(int m, int n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int counter(void) {
    static int calls = 10;
    return calls++;
}

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int apply(int (*f)(int, int), int a, int b) { return f(a, b); }
typedef int (*Operation)(int, int);
static Operation choose(char c) { return c == '+' ? add : sub; }

struct Shape { const char *name; double (*area)(double); };
static double square(double x) { return x * x; }
static double circle(double r) { return 3 * r * r; }

static int sum(int n, ...) {
    va_list list, copy;
    va_start(list, n);
    va_copy(copy, list);
    int total = 0;
    for (int i = 0; i < n; i++) total += va_arg(list, int);
    va_end(list);
    int first = va_arg(copy, int);
    va_end(copy);
    return total * 100 + first;
}

static void types(const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'i': printf("%d ", va_arg(list, int)); break;
        case 'l': printf("%ld ", va_arg(list, long)); break;
        case 'd': printf("%g ", va_arg(list, double)); break;
        case 's': printf("%s ", va_arg(list, const char *)); break;
        }
    }
    va_end(list);
    printf("\n");
}

static int wrapped(char *buffer, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsnprintf(buffer, size, format, list);
    va_end(list);
    return n;
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
    printf("%d %d %d %d\n", factorial(10), even(10), odd(7), ackermann(2, 3));
    printf("%d ", counter());
    printf("%d ", counter());
    printf("%d\n", counter());
    printf("%d %d %d\n", apply(add, 3, 4), apply(&sub, 3, 4), choose('+')(10, 5));
    Operation table[2] = {add, sub};
    printf("%d %d %d\n", table[1](9, 4), (*table[0])(1, 1), (**table[1])(5, 2));
    struct Shape shapes[] = {{"square", square}, {"circle", circle}};
    for (int i = 0; i < 2; i++) printf("%s %g\n", shapes[i].name, shapes[i].area(2));
    printf("%d\n", sum(4, 1, 2, 3, 4));
    types("idsl", 1, 2.5, "three", 4L);
    char buffer[16];
    int n = wrapped(buffer, sizeof buffer, "%d-%s", 12, "abc");
    printf("%d %s\n", n, buffer);
    n = wrapped(buffer, 4, "%d", 123456);
    printf("%d %s\n", n, buffer);
    int numbers[] = {5, 2, 9, 1, 7, 3};
    qsort(numbers, 6, sizeof(int), compare);
    for (int i = 0; i < 6; i++) printf("%d ", numbers[i]);
    int key = 7;
    int *found = bsearch(&key, numbers, 6, sizeof(int), compare);
    printf("%d\n", (int)(found - numbers));
    printf("%d %d\n", choose == choose, add == sub);
    return 0;
}
