// Device mathematics where the result is exact or correctly rounded, and intrinsics on bits and integers.
#include <stdio.h>

__global__ void floats(float *f, double *d) {
    int n = 0;
    f[n++] = sqrtf(2.25f);
    f[n++] = fabsf(-1.5f);
    f[n++] = floorf(-1.5f);
    f[n++] = ceilf(1.2f);
    f[n++] = truncf(-1.7f);
    f[n++] = roundf(2.5f);
    f[n++] = rintf(2.5f);
    f[n++] = fmodf(7.5f, 2.0f);
    f[n++] = fminf(1.0f, -2.0f) + fmaxf(3.0f, 2.0f);
    f[n++] = copysignf(3.0f, -0.0f);
    f[n++] = fmaf(2.0f, 3.0f, 4.0f);
    f[n++] = max(1.5f, 2.5f) + min(4, 3) + abs(-2);
    f[n++] = powf(2.0f, 10.0f);
    f[n++] = exp2f(5.0f);
    f[n++] = rsqrtf(4.0f);
    f[n++] = __saturatef(1.7f) + __saturatef(-3.0f);
    f[n++] = __fadd_rz(1.0f, 5.9604645e-8f);
    f[n++] = __fadd_ru(1.0f, 1e-10f);
    f[n++] = __int_as_float(0x40490fdb);
    f[n++] = isnan(sqrtf(-1.0f)) + 2 * isinf(1.0f / 0.0f) + 4 * signbit(-0.0f);
    int m = 0;
    d[m++] = sqrt(2.0);
    d[m++] = floor(-2.5) + ceil(2.5);
    d[m++] = fma(0.1, 10.0, -1.0);
    d[m++] = fmod(-7.5, 2.0);
    d[m++] = __longlong_as_double(0x400921fb54442d18LL);
    d[m++] = (double)__double_as_longlong(1.0);
    d[m++] = fabs(-0.5) + fmax(1.0, 2.0);
    d[m++] = __hiloint2double(0x3ff80000, 0);
}

__global__ void integers(unsigned *u) {
    int n = 0;
    u[n++] = __popc(0xf0f0u) + __popcll(~0ull);
    u[n++] = __clz(1) * 100 + __clz(0);
    u[n++] = __clzll(1) * 100 + __ffs(0);
    u[n++] = __ffs(8) * 100 + __ffsll(1ll << 40);
    u[n++] = __brev(1);
    u[n++] = __byte_perm(0x03020100, 0x07060504, 0x7531);
    u[n++] = __mulhi(0x40000000, 8) + __umulhi(0x80000000u, 4u);
    u[n++] = __mul24(0x1000003, 5) + __umul24(3u, 4u);
    u[n++] = __sad(3, -4, 10u);
    u[n++] = __funnelshift_l(0x80000000u, 1u, 4);
    u[n++] = __funnelshift_r(0x80000000u, 1u, 4);
    u[n++] = __vadd2(0x0001ffffu, 0x00010001u);
    u[n++] = __vmaxs4(0x7f80ff01u, 0x00000000u);
    u[n++] = __vcmpeq4(0x01020304u, 0x01000300u);
    u[n++] = __vabsdiffu4(0x05000a01u, 0x010a0002u);
    u[n++] = __dp4a(0x01020304, 0x01010101, 5);
    u[n++] = __float2int_rn(2.5f) * 1000 + __float2int_rd(-1.5f) + __float2int_ru(1.1f);
    u[n++] = __float2int_rz(1e20f);
    u[n++] = __float_as_uint(-1.0f);
    u[n++] = __hadd(7, 4) * 10 + __rhadd(7, 4);
    u[n++] = max(-1, 1) + min(2u, 3u) + (unsigned)llabs(-5ll);
}

int main() {
    float *df, f[20];
    double *dd, d[8];
    unsigned *du, u[21];
    cudaMalloc(&df, sizeof f);
    cudaMalloc(&dd, sizeof d);
    cudaMalloc(&du, sizeof u);
    floats<<<1, 1>>>(df, dd);
    integers<<<1, 1>>>(du);
    cudaMemcpy(f, df, sizeof f, cudaMemcpyDeviceToHost);
    cudaMemcpy(d, dd, sizeof d, cudaMemcpyDeviceToHost);
    cudaMemcpy(u, du, sizeof u, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 20; ++i) printf("%.9g ", f[i]);
    printf("\n");
    for (int i = 0; i < 8; ++i) printf("%.17g ", d[i]);
    printf("\n");
    for (int i = 0; i < 21; ++i) printf("%x ", u[i]);
    printf("\n");
    cudaFree(df);
    cudaFree(dd);
    cudaFree(du);
    return 0;
}
