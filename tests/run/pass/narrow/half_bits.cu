// Every conversion and operation of __half against exact arithmetic: each line is a hash of 65536 results on the device
// (all bit patterns where the operand is one, else drawn ones with many ties), and of every 64th on the host. The
// expected hashes come from rational arithmetic outside of this program.
#include <cuda_fp16.h>
#include <cstdio>
#include <cstring>

typedef unsigned int u32;
typedef unsigned long long u64;

__host__ __device__ u32 mix(u32 x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}
__host__ __device__ float float_of(u32 bits) {
    float f;
    memcpy(&f, &bits, 4);
    return f;
}
__host__ __device__ double double_of(u64 bits) {
    double d;
    memcpy(&d, &bits, 8);
    return d;
}
__host__ __device__ u64 bits_of(float f) {
    u32 b;
    memcpy(&b, &f, 4);
    return f != f ? 0x7fffffffu : b;
}
__host__ __device__ u64 bits(__half h) { return __half_as_ushort(h); }
__host__ __device__ u32 spread(u32 m, u32 k, int cut) {
    u32 low = (1u << cut) - 1, tie = 1u << (cut - 1);
    return k == 0 ? m & ~low : k == 1 ? (m & ~low) | tie : k == 2 ? (m & ~low) | tie | 1 : m;
}
__host__ __device__ u32 gen(u32 i) {
    const u32 special[16] = {0x0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x477fe000, 0x477fefff, 0x477ff000, 0xc77ff000, 0x7f7f7fff, 0x7f7f8000, 0xff7fffff, 0x33000000, 0x33000001, 0x1, 0x80400000};
    if (i < 16) return special[i];
    u32 r = mix(i), r2 = mix(i ^ 0x9e3779b9u);
    return (r2 >> 31) << 31 | (101 + r2 % 46) << 23 | spread(r & 0x7fffffu, r2 >> 8 & 3, 13);
}
__host__ __device__ u64 gend(u32 i) {
    u32 r = mix(i + 77), r2 = mix(i ^ 0x51ed270bu), k = r2 >> 8 & 3;
    u64 m = ((u64)mix(r) << 20 & 0xfffffffffffffull) | (r & 0xfffff);
    u64 low = (1ull << 42) - 1, tie = 1ull << 41;
    m = k == 0 ? m & ~low : k == 1 ? (m & ~low) | tie : k == 2 ? (m & ~low) | tie | 1 : m;
    return (u64)(r2 >> 31) << 63 | (u64)(1023 - 26 + r2 % 46) << 52 | m;
}
__host__ __device__ u64 geni(u32 i) {
    u64 r = ((u64)mix(i) << 32 | mix(i ^ 0x12345678u)) >> mix(i + 5) % 64;
    u32 k = mix(i + 9) & 3;
    int top = 0;
    while (top < 64 && r >> top) top++;
    if (k < 2 && top > 13) r = r >> (top - 12) << (top - 12) | k;
    return mix(i + 3) & 1 ? 0 - r : r;
}
__host__ __device__ __half near(__half a, __half b) {
    return __ushort_as_half((unsigned short)(bits(__hmul(a, b)) - 11264));
}
__host__ __device__ u64 comparisons(__half a, __half b) {
    return (u64)__heq(a, b) | __hne(a, b) << 1 | __hle(a, b) << 2 | __hge(a, b) << 3 | __hlt(a, b) << 4 |
           __hgt(a, b) << 5 | __hequ(a, b) << 6 | __hneu(a, b) << 7 | __hleu(a, b) << 8 | __hgeu(a, b) << 9 |
           __hltu(a, b) << 10 | __hgtu(a, b) << 11;
}

__host__ __device__ u64 eval(int op, u32 i) {
    __half h = __ushort_as_half((unsigned short)i);
    __half a = __ushort_as_half((unsigned short)mix(i)), b = __ushort_as_half((unsigned short)(mix(i) >> 16));
    __half c = __ushort_as_half((unsigned short)mix(i + 1000003));
    switch (op) {
    case 0: return bits_of(__half2float(h));
    case 1: return (unsigned long long)__half2int_rn(h);
    case 2: return (unsigned long long)__half2int_rz(h);
    case 3: return (unsigned long long)__half2int_rd(h);
    case 4: return (unsigned long long)__half2int_ru(h);
    case 5: return (unsigned long long)__half2uint_rn(h);
    case 6: return (unsigned long long)__half2uint_rz(h);
    case 7: return (unsigned long long)__half2uint_rd(h);
    case 8: return (unsigned long long)__half2uint_ru(h);
    case 9: return (unsigned long long)__half2short_rn(h);
    case 10: return (unsigned long long)__half2short_rz(h);
    case 11: return (unsigned long long)__half2short_rd(h);
    case 12: return (unsigned long long)__half2short_ru(h);
    case 13: return (unsigned long long)__half2ushort_rn(h);
    case 14: return (unsigned long long)__half2ushort_rz(h);
    case 15: return (unsigned long long)__half2ushort_rd(h);
    case 16: return (unsigned long long)__half2ushort_ru(h);
    case 17: return (unsigned long long)__half2ll_rn(h);
    case 18: return (unsigned long long)__half2ll_rz(h);
    case 19: return (unsigned long long)__half2ll_rd(h);
    case 20: return (unsigned long long)__half2ll_ru(h);
    case 21: return (unsigned long long)__half2ull_rn(h);
    case 22: return (unsigned long long)__half2ull_rz(h);
    case 23: return (unsigned long long)__half2ull_rd(h);
    case 24: return (unsigned long long)__half2ull_ru(h);
    case 25: return (unsigned long long)__half2char_rz(h);
    case 26: return (unsigned long long)__half2uchar_rz(h);
    case 27: return (unsigned long long)__hisinf(h);
    case 28: return bits(__float2half_rn(float_of(gen(i))));
    case 29: return bits(__float2half_rz(float_of(gen(i))));
    case 30: return bits(__float2half_rd(float_of(gen(i))));
    case 31: return bits(__float2half_ru(float_of(gen(i))));
    case 32: return bits(__double2half(double_of(gend(i))));
    case 33: return bits(__int2half_rn((int)geni(i)));
    case 34: return bits(__int2half_rz((int)geni(i)));
    case 35: return bits(__int2half_rd((int)geni(i)));
    case 36: return bits(__int2half_ru((int)geni(i)));
    case 37: return bits(__uint2half_rn((unsigned int)geni(i)));
    case 38: return bits(__uint2half_rz((unsigned int)geni(i)));
    case 39: return bits(__uint2half_rd((unsigned int)geni(i)));
    case 40: return bits(__uint2half_ru((unsigned int)geni(i)));
    case 41: return bits(__short2half_rn((short)geni(i)));
    case 42: return bits(__short2half_rz((short)geni(i)));
    case 43: return bits(__short2half_rd((short)geni(i)));
    case 44: return bits(__short2half_ru((short)geni(i)));
    case 45: return bits(__ushort2half_rn((unsigned short)geni(i)));
    case 46: return bits(__ushort2half_rz((unsigned short)geni(i)));
    case 47: return bits(__ushort2half_rd((unsigned short)geni(i)));
    case 48: return bits(__ushort2half_ru((unsigned short)geni(i)));
    case 49: return bits(__ll2half_rn((long long)geni(i)));
    case 50: return bits(__ll2half_rz((long long)geni(i)));
    case 51: return bits(__ll2half_rd((long long)geni(i)));
    case 52: return bits(__ll2half_ru((long long)geni(i)));
    case 53: return bits(__ull2half_rn((unsigned long long)geni(i)));
    case 54: return bits(__ull2half_rz((unsigned long long)geni(i)));
    case 55: return bits(__ull2half_rd((unsigned long long)geni(i)));
    case 56: return bits(__ull2half_ru((unsigned long long)geni(i)));
    case 57: return bits(__hadd(a, b));
    case 58: return bits(__hsub(a, b));
    case 59: return bits(__hmul(a, b));
    case 60: return bits(__hdiv(a, b));
    case 61: return bits(__hadd_sat(a, b));
    case 62: return bits(__hsub_sat(a, b));
    case 63: return bits(__hmul_sat(a, b));
    case 64: return bits(__hfma(a, b, c));
    case 65: return bits(__hfma(a, b, near(a, b)));
    case 66: return bits(__hfma_sat(a, b, c));
    case 67: return bits(__hfma_relu(a, b, c));
    case 68: return comparisons(a, b);
    case 69: return bits(__hmax(a, b));
    case 70: return bits(__hmin(a, b));
    case 71: return bits(__hmax_nan(a, b));
    case 72: return bits(__hmin_nan(a, b));
    }
    return 0;
}
const char* const names[] = {
    "half2float",
    "half2int_rn",
    "half2int_rz",
    "half2int_rd",
    "half2int_ru",
    "half2uint_rn",
    "half2uint_rz",
    "half2uint_rd",
    "half2uint_ru",
    "half2short_rn",
    "half2short_rz",
    "half2short_rd",
    "half2short_ru",
    "half2ushort_rn",
    "half2ushort_rz",
    "half2ushort_rd",
    "half2ushort_ru",
    "half2ll_rn",
    "half2ll_rz",
    "half2ll_rd",
    "half2ll_ru",
    "half2ull_rn",
    "half2ull_rz",
    "half2ull_rd",
    "half2ull_ru",
    "half2char_rz",
    "half2uchar_rz",
    "isinf",
    "float2half_rn",
    "float2half_rz",
    "float2half_rd",
    "float2half_ru",
    "double2half",
    "int2half_rn",
    "int2half_rz",
    "int2half_rd",
    "int2half_ru",
    "uint2half_rn",
    "uint2half_rz",
    "uint2half_rd",
    "uint2half_ru",
    "short2half_rn",
    "short2half_rz",
    "short2half_rd",
    "short2half_ru",
    "ushort2half_rn",
    "ushort2half_rz",
    "ushort2half_rd",
    "ushort2half_ru",
    "ll2half_rn",
    "ll2half_rz",
    "ll2half_rd",
    "ll2half_ru",
    "ull2half_rn",
    "ull2half_rz",
    "ull2half_rd",
    "ull2half_ru",
    "add",
    "sub",
    "mul",
    "div",
    "add_sat",
    "sub_sat",
    "mul_sat",
    "fma",
    "fma_near",
    "fma_sat",
    "fma_relu",
    "compare",
    "max",
    "min",
    "max_nan",
    "min_nan",
};

__global__ void all(int op, u64* out) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = eval(op, i);
}

int main() {
    u64* out;
    cudaMallocManaged(&out, 65536 * sizeof(u64));
    for (int op = 0; op < 73; op++) {
        all<<<256, 256>>>(op, out);
        cudaDeviceSynchronize();
        u32 device = 0, host = 0;
        for (u32 i = 0; i < 65536; i += 1) device = device * 31 + (u32)(out[i] ^ out[i] >> 32);
        for (u32 i = 0; i < 65536; i += 64) {
            u64 v = eval(op, i);
            host = host * 31 + (u32)(v ^ v >> 32);
        }
        printf("%s %08x %08x\n", names[op], device, host);
    }
    cudaFree(out);
    return 0;
}
