// The vector types: size and alignment, make_* of every one; and cuComplex.h, on the host and on the device.
#include <cstdio>
#include <cuComplex.h>

#define TYPES(F)                                                                                       \
    F(char, char) F(uchar, unsigned char) F(short, short) F(ushort, unsigned short) F(int, int)        \
    F(uint, unsigned int) F(long, long) F(ulong, unsigned long) F(longlong, long long)                 \
    F(ulonglong, unsigned long long) F(float, float) F(double, double)

template <typename T> __host__ __device__ double value(const T& v, int k) { return (double)(&v.x)[k]; }

// Adds the elements, each times its place.
__host__ __device__ double weighted(double factor) {
    double sum = 0;
    int n = 0;
#define ADD(name, type)                                                                                \
    {                                                                                                  \
        n++;                                                                                           \
        type a = (type)(n + 100), b = (type)(n + 20), c = (type)(n * 3), d = (type)(n * 7);            \
        name##1 one = make_##name##1(a);                                                               \
        name##2 two = make_##name##2(a, b);                                                            \
        name##3 three = make_##name##3(a, b, c);                                                       \
        name##4 four = make_##name##4(a, b, c, d);                                                     \
        sum += factor * ((double)one.x + two.x + 2 * two.y + three.x + 2 * three.y + 3 * three.z +     \
                         four.x + 2 * four.y + 3 * four.z + 4 * four.w);                               \
    }
    TYPES(ADD)
#undef ADD
    dim3 size(4, 5);
    return sum + size.x + 10 * size.y + 100 * size.z;
}

__host__ __device__ void complex_numbers(double* out) {
    cuFloatComplex a = make_cuFloatComplex(3.0f, -4.0f), b = make_cuComplex(0.5f, 2.0f);
    cuDoubleComplex c = make_cuDoubleComplex(1e200, 1e200), d = make_cuDoubleComplex(-2.0, 0.25);
    cuFloatComplex f[] = {cuCaddf(a, b), cuCsubf(a, b), cuCmulf(a, b), cuCdivf(a, b), cuConjf(a), cuCfmaf(a, b, a)};
    cuDoubleComplex g[] = {cuCadd(c, d), cuCsub(c, d), cuCmul(d, d), cuCdiv(c, d), cuConj(d), cuCfma(d, d, d)};
    int n = 0;
    for (int i = 0; i < 6; i++) {
        out[n++] = cuCrealf(f[i]);
        out[n++] = cuCimagf(f[i]);
        out[n++] = cuCreal(g[i]);
        out[n++] = cuCimag(g[i]);
    }
    out[n++] = cuCabsf(a);
    out[n++] = cuCabs(c);
    out[n++] = cuCabs(make_cuDoubleComplex(0, -7));
    out[n++] = cuCimag(cuComplexFloatToDouble(b));
    out[n++] = cuCrealf(cuComplexDoubleToFloat(d));
}
const int RESULTS = 29;

__global__ void device(double* sum, double* out) {
    *sum = weighted(0.5);
    complex_numbers(out);
}

int main() {
#define SIZE(name, type)                                                                               \
    printf("%-9s %2zu/%-2zu %2zu/%-2zu %2zu/%-2zu %2zu/%-2zu\n", #name, sizeof(name##1), alignof(name##1),  \
           sizeof(name##2), alignof(name##2), sizeof(name##3), alignof(name##3), sizeof(name##4), alignof(name##4));
    TYPES(SIZE)
#undef SIZE
    double *sum, *out, host[RESULTS];
    cudaMallocManaged(&sum, sizeof *sum);
    cudaMallocManaged(&out, RESULTS * sizeof *out);
    device<<<1, 1>>>(sum, out);
    cudaDeviceSynchronize();
    printf("%g %g\n", *sum, weighted(0.5));
    complex_numbers(host);
    for (int i = 0; i < RESULTS; i++)
        printf("%.9g%s%c", out[i], out[i] == host[i] ? "" : " (host differs)", i % 4 == 3 || i == RESULTS - 1 ? '\n' : ' ');
    cudaFree(sum);
    cudaFree(out);
}
