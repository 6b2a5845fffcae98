// The formats of 8, 6 and 4 bits: every encoding to every wider type, half and bfloat16 exhaustively to every format,
// binary32, binary64 and integers around the borders, pairs and fours. Digests, by host and by device alike; some
// values in clear.

#include <cstdio>
#include <cstring>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

struct Digest {
    unsigned long long h;
    __host__ __device__ Digest() : h(1469598103934665603ull) {}
    __host__ __device__ void mix(unsigned long long v) { h = (h ^ v) * 1099511628211ull; }
    template <class T> __host__ __device__ void bits(const T& v) {
        unsigned long long b = 0;
        memcpy(&b, &v, sizeof v);
        mix(b);
    }
};

template <class T> __host__ __device__ void every_type(Digest& d, const T& t) {
    d.bits((float)t);
    d.bits((double)t);
    d.bits((__half)t);
    d.bits((__nv_bfloat16)t);
    d.mix((unsigned char)t);
    d.mix((unsigned short)t);
    d.mix((unsigned int)t);
    d.mix((unsigned long)t);
    d.mix((unsigned long long)t);
    d.mix((unsigned char)(signed char)t);
    d.mix((unsigned char)(char)t);
    d.mix((unsigned short)(short)t);
    d.mix((unsigned int)(int)t);
    d.mix((unsigned long)(long)t);
    d.mix((unsigned long long)(long long)t);
    d.mix((bool)t);
}

// From the encoding `i`, and from the 16 bits `i` read as half and as bfloat16.
template <class T> __host__ __device__ void sixteen(Digest& d, unsigned int i, unsigned int encodings) {
    if (i < encodings) {
        T t;
        t.__x = (unsigned char)i;
        every_type(d, t);
    }
    __half_raw r;
    r.x = (unsigned short)i;
    __nv_bfloat16_raw b;
    b.x = (unsigned short)i;
    d.mix(T(__half(r)).__x);
    d.mix(T(__nv_bfloat16(b)).__x);
    d.mix(T((float)__half(r)).__x);
    d.mix(T((double)(float)__nv_bfloat16(b) * 1.0009765625).__x);
}

// Around 2^(i % 64): integers, and what lies between the numbers of a format.
template <class T> __host__ __device__ void borders(Digest& d, unsigned int i) {
    unsigned int k = i % 63;
    unsigned long long u = (1ull << k) + (unsigned long long)(i / 63) * (k > 12 ? 1ull << (k - 9) : 1);
    long long s = (long long)(u >> 1);
    d.mix(T(s).__x);
    d.mix(T(-(long)s).__x);
    d.mix(T((int)s).__x);
    d.mix(T((short)s).__x);
    d.mix(T(u).__x);
    d.mix(T((unsigned int)u).__x);
    d.mix(T((unsigned short)u).__x);
    d.mix(T((unsigned long)u).__x);
    float f = (float)u / 65536.0f / 65536.0f;
    d.mix(T(f).__x);
    d.mix(T(-f / 1024.0f).__x);
    d.mix(T((double)f * 1.0000001).__x);
    d.mix(T(1.0 / (double)u).__x);
}

template <class T2, class T4> __host__ __device__ void pairs(Digest& d, unsigned int i) {
    float a = (float)i * 0.25f, b = -a * a, c = (float)i / 512.0f, e = 1.0f / 1024.0f;
    float2 two = {a, b};
    double2 wide = {c, e};
    float4 four = {a, b, c, e};
    double4 wider = {e, c, b, a};
    __half2 h = __floats2half2_rn(a, b), k = __floats2half2_rn(c, e);
    __nv_bfloat162 m = __floats2bfloat162_rn(a, b), n = __floats2bfloat162_rn(c, e);
    T2 p(two);
    T4 q(four);
    d.mix(p.__x);
    d.mix(T2(wide).__x);
    d.mix(T2(h).__x);
    d.mix(T2(m).__x);
    d.mix(q.__x);
    d.mix(T4(wider).__x);
    d.mix(T4(h, k).__x);
    d.mix(T4(m, n).__x);
    float2 back = (float2)p;
    float4 backs = (float4)q;
    d.bits(back.x);
    d.bits(back.y);
    d.bits((__half2)p);
    d.bits(backs.x);
    d.bits(backs.w);
}

__host__ __device__ void functions(Digest& d, unsigned int i) {
    __half_raw r;
    r.x = (unsigned short)i;
    __nv_bfloat16_raw b;
    b.x = (unsigned short)i;
    float f = (float)__half(r);
    double w = (double)(float)__nv_bfloat16(b) * 1.3;
    for (int k = 0; k < 4; k++) {
        __nv_saturation_t s = k & 1 ? __NV_SATFINITE : __NV_NOSAT;
        cudaRoundMode mode = k & 1 ? cudaRoundZero : cudaRoundNearest;
        cudaRoundMode away = k & 1 ? cudaRoundZero : cudaRoundPosInf;
        __nv_fp8_interpretation_t eight = k & 2 ? __NV_E5M2 : __NV_E4M3;
        __nv_fp6_interpretation_t six = k & 2 ? __NV_E3M2 : __NV_E2M3;
        d.mix(__nv_cvt_halfraw_to_fp8(r, s, eight));
        d.mix(__nv_cvt_bfloat16raw_to_fp8(b, s, eight));
        d.mix(__nv_cvt_float_to_fp8(f, s, eight));
        d.mix(__nv_cvt_double_to_fp8(w, s, eight));
        d.mix(__nv_cvt_halfraw_to_fp6(r, six, mode));
        d.mix(__nv_cvt_bfloat16raw_to_fp6(b, six, mode));
        d.mix(__nv_cvt_double_to_fp6(w, six, mode));
        d.mix(__nv_cvt_halfraw_to_fp4(r, __NV_E2M1, mode));
        d.mix(__nv_cvt_float_to_fp4(f, __NV_E2M1, mode));
        d.mix(__nv_cvt_bfloat16raw_to_e8m0(b, s, away));
        d.mix(__nv_cvt_float_to_e8m0(f, s, away));
        d.mix(__nv_cvt_double_to_e8m0(w, s, away));
        d.mix(__nv_cvt_fp8_to_halfraw((unsigned char)i, eight).x);
        d.mix(__nv_cvt_fp6_to_halfraw(i & 63, six).x);
        d.mix(__nv_cvt_fp4_to_halfraw(i & 15, __NV_E2M1).x);
    }
    d.mix(__nv_cvt_e8m0_to_bf16raw((unsigned char)i).x);
    float2 two = {f, -f};
    d.mix(__nv_cvt_float2_to_fp8x2(two, __NV_SATFINITE, __NV_E4M3));
    d.mix(__nv_cvt_float2_to_fp6x2(two, __NV_E3M2, cudaRoundNearest));
    d.mix(__nv_cvt_float2_to_fp4x2(two, __NV_E2M1, cudaRoundNearest));
    d.mix(__nv_cvt_float2_to_e8m0x2(two, __NV_SATFINITE, cudaRoundPosInf));
    double2 wide = {w, 1.5 * w};
    __half2_raw halves;
    halves.x = r.x, halves.y = (unsigned short)(i * 3);
    __nv_bfloat162_raw narrow;
    narrow.x = b.x, narrow.y = (unsigned short)(i * 5);
    d.mix(__nv_cvt_double2_to_fp8x2(wide, __NV_SATFINITE, __NV_E5M2));
    d.mix(__nv_cvt_halfraw2_to_fp8x2(halves, __NV_NOSAT, __NV_E4M3));
    d.mix(__nv_cvt_bfloat16raw2_to_fp8x2(narrow, __NV_SATFINITE, __NV_E4M3));
    d.mix(__nv_cvt_bfloat162raw_to_e8m0x2(narrow, __NV_NOSAT, cudaRoundZero));
    d.mix(__nv_cvt_double2_to_e8m0x2(wide, __NV_SATFINITE, cudaRoundPosInf));
    d.mix(__nv_cvt_double2_to_fp6x2(wide, __NV_E2M3, cudaRoundZero));
    d.mix(__nv_cvt_float_to_fp6(f, __NV_E2M3, cudaRoundNearest));
    d.mix(__nv_cvt_halfraw2_to_fp6x2(halves, __NV_E2M3, cudaRoundNearest));
    d.mix(__nv_cvt_bfloat16raw2_to_fp6x2(narrow, __NV_E3M2, cudaRoundZero));
    d.mix(__nv_cvt_double_to_fp4(w, __NV_E2M1, cudaRoundNearest));
    d.mix(__nv_cvt_double2_to_fp4x2(wide, __NV_E2M1, cudaRoundZero));
    d.mix(__nv_cvt_halfraw2_to_fp4x2(halves, __NV_E2M1, cudaRoundNearest));
    d.mix(__nv_cvt_bfloat16raw_to_fp4(b, __NV_E2M1, cudaRoundZero));
    d.mix(__nv_cvt_bfloat16raw2_to_fp4x2(narrow, __NV_E2M1, cudaRoundNearest));
    __nv_bfloat162_raw powers = __nv_cvt_e8m0x2_to_bf162raw((unsigned short)i);
    d.mix(powers.x | (unsigned int)powers.y << 16);
    __half2_raw h = __nv_cvt_fp6x2_to_halfraw2((unsigned short)(i & 0x3f3f), __NV_E3M2);
    d.mix(h.x | (unsigned int)h.y << 16);
    h = __nv_cvt_fp8x2_to_halfraw2((unsigned short)i, __NV_E5M2);
    d.mix(h.x | (unsigned int)h.y << 16);
    h = __nv_cvt_fp4x2_to_halfraw2((unsigned char)i, __NV_E2M1);
    d.mix(h.x | (unsigned int)h.y << 16);
}

// What one thread, or one turn of the host's loop, adds up.
const int PARTS = 256, CASES = 14;

__host__ __device__ unsigned long long part(int which, unsigned int p) {
    Digest d;
    switch (which) {
    case 0: case 1: case 2: case 3: case 4: case 5:
        for (unsigned int i = p * 256; i < p * 256 + 256; i += which < 2 ? 1 : 5)
            switch (which) {
            case 0: sixteen<__nv_fp8_e5m2>(d, i, 256); break;
            case 1: sixteen<__nv_fp8_e4m3>(d, i, 256); break;
            case 2: sixteen<__nv_fp8_e8m0>(d, i, 256); break;
            case 3: sixteen<__nv_fp6_e3m2>(d, i, 64); break;
            case 4: sixteen<__nv_fp6_e2m3>(d, i, 64); break;
            default: sixteen<__nv_fp4_e2m1>(d, i, 16);
            }
        break;
    case 6:
        for (unsigned int i = p * 256; i < p * 256 + 256; i += 3)
            functions(d, i);
        break;
    case 7:
        for (unsigned int i = p * 63; i < p * 63 + 63; i++) {
            borders<__nv_fp8_e5m2>(d, i);
            borders<__nv_fp8_e4m3>(d, i);
        }
        break;
    case 8:
        for (unsigned int i = p * 63; i < p * 63 + 63; i++)
            borders<__nv_fp8_e8m0>(d, i);
        break;
    case 9:
        for (unsigned int i = p * 63; i < p * 63 + 63; i++) {
            borders<__nv_fp6_e3m2>(d, i);
            borders<__nv_fp6_e2m3>(d, i);
            borders<__nv_fp4_e2m1>(d, i);
        }
        break;
    case 10: pairs<__nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(d, p); pairs<__nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(d, p); break;
    case 11: pairs<__nv_fp8x2_e8m0, __nv_fp8x4_e8m0>(d, p); break;
    case 12: pairs<__nv_fp6x2_e3m2, __nv_fp6x4_e3m2>(d, p); pairs<__nv_fp6x2_e2m3, __nv_fp6x4_e2m3>(d, p); break;
    default: pairs<__nv_fp4x2_e2m1, __nv_fp4x4_e2m1>(d, p);
    }
    return d.h;
}

__global__ void parts(unsigned long long* out, int which) {
    unsigned int p = blockIdx.x * blockDim.x + threadIdx.x;
    out[p] = part(which, p);
}

int main() {
    const char* names[CASES] = {"e5m2", "e4m3", "e8m0", "e3m2", "e2m3", "e2m1", "functions", "borders of 8 bits",
                                "borders of powers", "borders of 6 and 4 bits", "pairs of 8 bits", "pairs of powers",
                                "pairs of 6 bits", "pairs of 4 bits"};
    unsigned long long* out;
    cudaMallocManaged(&out, PARTS * sizeof *out);
    for (int which = 0; which < CASES; which++) {
        parts<<<4, PARTS / 4>>>(out, which);
        cudaDeviceSynchronize();
        Digest device, host;
        for (unsigned int p = 0; p < PARTS; p++) {
            device.mix(out[p]);
            host.mix(p % 16 == 3 ? part(which, p) : out[p]);
        }
        printf("%-24s %016llx %s\n", names[which], device.h, host.h == device.h ? "both" : "HOST DIFFERS");
    }
    cudaFree(out);
    float values[] = {1.0f, 3.3f, -0.07f, 448.0f, 464.0f, 500.0f, 1e9f, 1e-9f};
    for (float v : values)
        printf("%10g: e4m3 %-10g e5m2 %-8g e8m0 %-12g e2m3 %-6g e3m2 %-6g e2m1 %g\n", v, (float)__nv_fp8_e4m3(v),
               (float)__nv_fp8_e5m2(v), (float)__nv_fp8_e8m0(v), (float)__nv_fp6_e2m3(v), (float)__nv_fp6_e3m2(v),
               (float)__nv_fp4_e2m1(v));
}
