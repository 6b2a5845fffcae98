/* math.h, where the results are exact or correctly rounded. */
#include <math.h>
#include <stdio.h>

int main(void) {
    printf("%g %g %g %g\n", sqrt(2.25), cbrt(27), hypot(3, 4), fabs(-1.5));
    printf("%g %g %g %g\n", floor(-1.5), ceil(-1.5), trunc(-1.5), round(-2.5));
    printf("%g %g %g %ld %lld\n", rint(2.5), nearbyint(3.5), rint(-0.5), lround(2.5), llrint(-2.5));
    printf("%g %g %g\n", fmod(7.5, 2), remainder(7.5, 2), fmod(-7.5, 2));
    printf("%g %g %g %g\n", pow(2, 10), pow(2, -1), pow(-8, 3), pow(0, 0));
    printf("%g %g %g %g\n", exp(0), log(1), exp2(3), log2(32));
    printf("%g %g %g\n", log10(1000), expm1(0), log1p(0));
    printf("%g %g %g %g\n", sin(0), cos(0), tan(0), atan2(0, 1));
    printf("%.15g %.15g\n", atan(1) * 4, acos(-1));
    printf("%.6f %.6f %.6f\n", sin(1), cosh(1), tanh(0.5));
    printf("%g %g %g\n", fmax(1, NAN), fmin(-0.5, 2), fdim(5, 3));
    printf("%.17g %g\n", fma(0.1, 10, -1), copysign(3, -0.0));
    int e;
    double m = frexp(12.0, &e), whole, part = modf(-3.75, &whole);
    printf("%g %d %g %g %g\n", m, e, part, whole, ldexp(0.75, 4));
    printf("%d %g %g\n", ilogb(10), logb(10), scalbn(1, 5));
    printf("%d %d %d %d\n", isnan(NAN) != 0, isinf(-INFINITY) != 0, isfinite(1.0) != 0, signbit(-0.0) != 0);
    printf("%d %d\n", fpclassify(0.0) == FP_ZERO, fpclassify(1e-310) == FP_SUBNORMAL);
    printf("%.9g %.9g\n", sqrtf(2), (double)fabsf(-2.5f));
    printf("%g %g\n", nextafter(1, 2) - 1, (double)(nextafterf(1, 2) - 1));
    printf("%.6f %.6f %.6f\n", erf(0.5), tgamma(5), lgamma(10));
    printf("%.4f %.4f\n", M_PI, M_E);
    return 0;
}
