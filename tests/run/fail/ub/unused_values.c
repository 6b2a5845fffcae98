// What computes a value that nobody looks at is checked, too: a sum for a call of mathematics, and an order of pointers.
#include <math.h>

int main(int argc, char **argv) {
    int near = 2147483646 + argc;
    exp((double)(near + argc)); //~ WARNING undefined-behavior: signed integer overflow
    exp((double)(near - argc));
    int a[2] = {0}, b[2] = {0};
    int *p = a, *q = b, *end = a + argc;
    int order = p < q; //~ ERROR undefined-behavior
    int same = p < end;
    return (order & 0) + (same & 0);
}
