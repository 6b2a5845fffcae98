// Functions of namespace std by the type of their argument, and what kind of number one is, on both sides. In device code, calls with
// integers and of mixed types, which <math.h> is not there for.
#include <cmath>
#include <cstdio>
#include <cstdlib>

static __host__ __device__ void show(int n, float f, double d) {
    printf("%d %ld %lld %g %g %d\n", std::abs(n), std::abs(-3l), std::abs(-4ll), std::abs(f), std::abs(d), std::abs((short)-5));
    printf("%ld %lld %g %g\n", std::labs(-6l), std::llabs(-7ll), std::fabs(f), abs(f));
    for (float x : {f, 0.0f, 1e-40f, -INFINITY, NAN})
        printf("%d%d%d%d%d ", std::isnormal(x), (int)std::isfinite(x), (int)std::isinf(x), (int)std::isnan(x), (int)std::signbit(x));
    printf("%d %d %d\n", __builtin_isnormal(d), std::isnormal(d * 1e-310), std::isnormal(d * 1e-300));
}

__global__ void on_device(int n, float f, double d) {
    show(n, f, d);
    int (*chosen)(int) = std::abs;
    printf("%d\n", chosen(n));
    unsigned u = 8;
    long long wide = 9;
    short s = 2;
    printf("%g %g %g %g %g %g\n", cbrt(u), sqrt(wide), exp2(s), trunc(-n), log2(u), erf(n - n));
    printf("%g %g %g %g %g %g\n", pow(2.0, u), pow(f, s), pow(s, f), fmod(wide, 2.5f), fdim(u, d), copysign(u, f));
    printf("%g %g %g %d %ld %d\n", ldexp(n, 3), fma(s, s, s), hypot(3, 4u), ilogb(u), lround(wide), isnan(n));
    int e;
    printf("%g ", frexp(u, &e));
    printf("%d ", e);
    printf("%g ", remquo(n, 3, &e));
    printf("%d %d %d\n", e, (int)sizeof(sqrt(f)), (int)sizeof(pow(f, f)));
}

static __host__ __device__ double on_both(unsigned u, long long wide) { return pow(2.0, u) + sqrt(wide) + cbrt(u) + fmax(u, 1.5f); }
__global__ void twice(unsigned u, long long wide) { printf("%g\n", on_both(u, wide)); }

int main() {
    show(-2, -2.5f, -3.5);
    on_device<<<1, 1>>>(-2, -2.5f, -3.5);
    cudaDeviceSynchronize();
    twice<<<1, 1>>>(8, 9);
    cudaDeviceSynchronize();
    printf("%g\n", on_both(8, 9));
    int (*chosen)(int) = std::abs;
    printf("%d\n", chosen(-9));
    return 0;
}
