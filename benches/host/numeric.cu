// Numbers in double precision: sums with mathematical functions, Kahan's sum, Newton's method.
#include "host.h"
#include <math.h>

#define N (1 << 19)

static double sum_functions(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += sqrt(x[i]) + sin(x[i]) * exp(-x[i] * 0.125) + fabs(x[i] - 0.5);
    return sum;
}

static double kahan(const double *x, int n)
{
    double sum = 0.0, rest = 0.0;
    for (int i = 0; i < n; i++) {
        double y = x[i] - rest;
        double t = sum + y;
        rest = (t - sum) - y;
        sum = t;
    }
    return sum;
}

static double newton(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        double r = x[i] > 1.0 ? x[i] : 1.0;
        for (int k = 0; k < 6; k++)
            r = 0.5 * (r + x[i] / r);
        sum += r;
    }
    return sum;
}

int main(void)
{
    double *x = (double *)malloc(N * sizeof(double));
    for (int i = 0; i < N; i++)
        x[i] = (double)(host_random() % 100000) * 1e-4;
    host_begin();
    double a = sum_functions(x, N);
    double b = kahan(x, N);
    double c = newton(x, N);
    host_end();
    printf("%.10g %.17g %.15g\n", a, b, c);
    free(x);
    return 0;
}
