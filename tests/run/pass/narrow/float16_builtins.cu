// The compiler's functions of `_Float16`, on both sides, and `__hfma`, which is one of them: rounded once.
#include <cstdio>
#include <cuda_fp16.h>

__host__ __device__ void all(unsigned short *out, unsigned short a, unsigned short b, unsigned short c) {
    _Float16 x, y, z, r[6];
    __builtin_memcpy(&x, &a, 2);
    __builtin_memcpy(&y, &b, 2);
    __builtin_memcpy(&z, &c, 2);
    r[0] = __builtin_fmaf16(x, y, z);
    r[1] = __builtin_fabsf16(x);
    r[2] = __builtin_sqrtf16(__builtin_fabsf16(y));
    r[3] = __builtin_floorf16(z);
    r[4] = __builtin_fmaxf16(x, z);
    r[5] = __builtin_copysignf16(y, x);
    __builtin_memcpy(out, r, sizeof r);
    out[6] = __half_as_ushort(__hfma(__ushort_as_half(a), __ushort_as_half(b), __ushort_as_half(c)));
}

__global__ void k(unsigned short *out, const unsigned short *in) {
    int i = threadIdx.x;
    all(out + 7 * i, in[3 * i], in[3 * i + 1], in[3 * i + 2]);
}

int main() {
    // 1 + 2^-10 squared, less 1: the sum has bits that the product would lose. A tie that the last bit of the product decides.
    const unsigned short cases[][3] = {{0x3c01, 0x3c01, 0xbc00}, {0x3c01, 0x3c01, 0x6c00}, {0x1001, 0x0001, 0x3c00},
                                       {0x7bff, 0x4000, 0xfbff}, {0x7bff, 0x7bff, 0x3c00}, {0x8001, 0x3800, 0x0000},
                                       {0xc248, 0x4170, 0x8000}, {0x0000, 0xbc00, 0x0000}};
    const int n = sizeof cases / sizeof *cases;
    unsigned short *in, *out, own[7];
    cudaMallocManaged(&in, sizeof cases);
    cudaMallocManaged(&out, 7 * n * sizeof *out);
    __builtin_memcpy(in, cases, sizeof cases);
    k<<<1, n>>>(out, in);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        all(own, cases[i][0], cases[i][1], cases[i][2]);
        wrong += __builtin_memcmp(own, out + 7 * i, sizeof own) != 0;
        for (int j = 0; j < 7; j++) printf("%04x%c", out[7 * i + j], j < 6 ? ' ' : '\n');
    }
    printf("%d wrong\n", wrong);
    cudaFree(in);
    cudaFree(out);
    return wrong;
}
