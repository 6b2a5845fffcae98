// Minima and maxima of three, with an addition first, clamped at zero, of packed halves, and which operand was taken.
#include <cstdio>

__global__ void kernel() {
    bool a, b;
    printf("%d %d %u\n", __vimax3_s32(-5, 3, 2), __vimin3_s32(-5, 3, 2), __vimax3_u32(5u, 0xffffffffu, 1u));
    printf("%d %d %d\n", __viaddmax_s32(2147483647, 1, 5), __viaddmin_s32(-7, 3, 2), __viaddmax_s32_relu(-7, 3, -2));
    printf("%u %08x\n", __viaddmin_u32(0xffffffffu, 3u, 9u), __viaddmax_s16x2(0x7fff0001u, 0x00010002u, 0x0005fffeu));
    printf("%08x %08x\n", __viaddmax_u16x2(0xffff0001u, 0x00020002u, 0x00050001u),
           __viaddmin_s16x2_relu(0xfff00003u, 0x00010001u, 0x00010009u));
    printf("%08x %08x\n", __vimax3_s16x2(0x8000ffffu, 0x00010002u, 0x7fff8000u),
           __vimin3_u16x2(0x80000003u, 0x00010002u, 0x7fff0009u));
    printf("%08x %08x\n", __vimax_s16x2_relu(0xffff0003u, 0xfffe8000u), __vimin3_s16x2_relu(0x0004fff0u, 0x00050001u, 0x00060001u));
    int m = __vibmax_s32(4, 4, &a);
    unsigned n = __vibmin_u32(7u, 0xfffffff0u, &b);
    printf("%d %d %u %d\n", m, a, n, b);
    unsigned p = __vibmax_s16x2(0xffff0003u, 0x00010002u, &a, &b);
    printf("%08x %d %d\n", p, a, b);
}

int main() {
    kernel<<<1, 1>>>();
    cudaDeviceSynchronize();
    return 0;
}
