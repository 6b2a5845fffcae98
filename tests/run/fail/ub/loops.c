// Faults in the second operation of a pair, and in one after it, have its place.
// revisions: product sum bounds second uninitialised fine
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static float at(const float *a, int i, int j, int n) {
#if defined(REV_product)
    return a[(i * n + j) & 3]; //[product]~ WARNING undefined-behavior: overflow
#elif defined(REV_sum)
    return a[(i * n + j) & 3]; //[sum]~ WARNING undefined-behavior: overflow
#elif defined(REV_bounds)
    return a[i * n + j]; //[bounds]~ ERROR out-of-bounds
#else
    return a[i * n + j];
#endif
}

static float both(const float *a, const float *b, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++)
#if defined(REV_second)
        sum += a[i]
            + b[i]; //[second]~ ERROR out-of-bounds
#elif defined(REV_uninitialised)
        sum += a[i]
            * b[i]; //[uninitialised]~ ERROR uninitialized-read
#else
        sum += a[i] + b[i];
#endif
    return sum;
}

int main(void) {
    volatile int two = 2, big = INT_MAX / 2 + 1;
    float *a = malloc(4 * sizeof(float)), *b = malloc(3 * sizeof(float));
    for (int i = 0; i < 4; i++)
        a[i] = (float)i;
    for (int i = 0; i < 2; i++)
        b[i] = (float)i;
#if defined(REV_product)
    printf("%.1f\n", at(a, big, two - 1, two));
#elif defined(REV_sum)
    printf("%.1f\n", at(a, big - 1, 2 + two, two));
#elif defined(REV_bounds)
    printf("%.1f\n", at(a, two, 0, two));
#elif defined(REV_second)
    b[2] = 1;
    printf("%.1f\n", both(a, b, 2 * two));
#elif defined(REV_uninitialised)
    printf("%.1f\n", both(a, b, 1 + two));
#else
    b[2] = 1;
    printf("%.1f %.1f\n", at(a, two, -1, two), both(a, b, 1 + two));
#endif
    free(a);
    free(b);
    return 0;
}
