// Functions of namespace std by the type of their argument, and what kind of number one is, on both sides.
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
}

int main() {
    show(-2, -2.5f, -3.5);
    on_device<<<1, 1>>>(-2, -2.5f, -3.5);
    cudaDeviceSynchronize();
    int (*chosen)(int) = std::abs;
    printf("%d\n", chosen(-9));
    return 0;
}
