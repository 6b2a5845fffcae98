// Records the results of a GPU's function unit: `function_unit FOLDER` writes a file of results for each segment of arguments, and
// hashes of all results. See README.md for the form in which they are kept.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>
#define OP(NAME, INSTR)                                                                          \
    struct NAME {                                                                                \
        static const char *name() { return #NAME; }                                              \
        static __device__ uint32_t go(uint32_t x) {                                              \
            uint32_t r;                                                                          \
            asm volatile("{ .reg .f32 a; mov.b32 a, %1; " INSTR " a, a; mov.b32 %0, a; }" : "=r"(r) : "r"(x)); \
            return r;                                                                            \
        }                                                                                        \
    };
OP(ex2_, "ex2.approx.f32") OP(ex2_ftz, "ex2.approx.ftz.f32") OP(lg2_, "lg2.approx.f32") OP(lg2_ftz, "lg2.approx.ftz.f32")
OP(rcp_, "rcp.approx.f32") OP(rcp_ftz, "rcp.approx.ftz.f32") OP(rsqrt_, "rsqrt.approx.f32") OP(rsqrt_ftz, "rsqrt.approx.ftz.f32")
OP(sqrt_, "sqrt.approx.f32") OP(sqrt_ftz, "sqrt.approx.ftz.f32") OP(sin_, "sin.approx.f32") OP(sin_ftz, "sin.approx.ftz.f32")
OP(cos_, "cos.approx.f32") OP(cos_ftz, "cos.approx.ftz.f32") OP(tanh_, "tanh.approx.f32")
template <class T> __global__ void dump(uint32_t base, uint32_t stride, uint32_t n, uint32_t *out) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = T::go(base + i * stride);
}
__device__ uint64_t mix(uint64_t x) { x ^= x >> 32; x *= 0xd6e8feb86659fd93u; x ^= x >> 32; x *= 0xd6e8feb86659fd93u; x ^= x >> 32; return x; }
// The sum of hashes of argument and result over the 2^23 arguments of each sign and exponent.
template <class T> __global__ void hash(unsigned long long *out) {
    uint32_t e = blockIdx.y;
    uint64_t s = 0;
    for (uint32_t m = blockIdx.x * blockDim.x + threadIdx.x; m < 1u << 23; m += gridDim.x * blockDim.x) {
        uint32_t x = e << 23 | m;
        s += mix((uint64_t)x << 32 | T::go(x));
    }
    atomicAdd(out + e, (unsigned long long)s);
}
static std::string folder;
template <class T> void segment(const char *what, uint32_t base, uint32_t stride, uint32_t n) {
    uint32_t *d;
    cudaMalloc(&d, n * 4ul);
    dump<T><<<(n + 255) / 256, 256>>>(base, stride, n, d);
    std::vector<uint32_t> h(n);
    if (cudaMemcpy(h.data(), d, n * 4ul, cudaMemcpyDeviceToHost)) printf("failed %s\n", what);
    cudaFree(d);
    char name[200];
    snprintf(name, sizeof name, "%s/%s.%s.%08x.%u.%u.raw", folder.c_str(), T::name(), what, base, stride, n);
    FILE *f = fopen(name, "wb");
    fwrite(h.data(), 4, n, f);
    fclose(f);
}
template <class T> void hashes(FILE *f) {
    unsigned long long *d, h[512];
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    hash<T><<<dim3(64, 512), 256>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int e = 0; e < 512; e++) fprintf(f, "%s %d %016llx\n", T::name(), e, h[e]);
    cudaFree(d);
}
__global__ void doubles(uint32_t *out, int which, uint32_t base, uint32_t n) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint64_t x = (uint64_t)(base + i) << 32 | (i & 1 ? 0xffffffffu : 0), r;
    if (which == 0) asm volatile("{ .reg .f64 a; mov.b64 a, %1; rcp.approx.ftz.f64 a, a; mov.b64 %0, a; }" : "=l"(r) : "l"(x));
    else asm volatile("{ .reg .f64 a; mov.b64 a, %1; rsqrt.approx.ftz.f64 a, a; mov.b64 %0, a; }" : "=l"(r) : "l"(x));
    out[i] = (uint32_t)(r >> 32);
    if ((uint32_t)r) out[i] = 0xdeadbeef;
}
__global__ void halves(uint16_t *out, int which) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    uint16_t x = (uint16_t)i, r = 0;
    if (which == 0) asm volatile("ex2.approx.f16 %0, %1;" : "=h"(r) : "h"(x));
    if (which == 1) asm volatile("tanh.approx.f16 %0, %1;" : "=h"(r) : "h"(x));
    if (which == 2) asm volatile("ex2.approx.ftz.bf16 %0, %1;" : "=h"(r) : "h"(x));
    if (which == 3) asm volatile("tanh.approx.bf16 %0, %1;" : "=h"(r) : "h"(x));
    out[i] = r;
}
// Quotients and powers of pseudo-random arguments, hashed in groups of 2^16.
__global__ void quotients(unsigned long long *out, int which) {
    uint64_t g = blockIdx.x, s = 0;
    for (uint32_t i = threadIdx.x; i < 65536; i += blockDim.x) {
        uint64_t r = mix(g << 32 | i);
        float a = __uint_as_float((uint32_t)r), b = __uint_as_float((uint32_t)(r >> 32)), q = 0;
        if (which == 0) asm volatile("div.approx.f32 %0, %1, %2;" : "=f"(q) : "f"(a), "f"(b));
        if (which == 1) asm volatile("div.approx.ftz.f32 %0, %1, %2;" : "=f"(q) : "f"(a), "f"(b));
        if (which == 2) asm volatile("div.full.f32 %0, %1, %2;" : "=f"(q) : "f"(a), "f"(b));
        if (which == 3) asm volatile("div.full.ftz.f32 %0, %1, %2;" : "=f"(q) : "f"(a), "f"(b));
        if (which == 4) q = __fdividef(a, b);
        if (which == 5) q = __powf(a, b);
        s += mix(r ^ __float_as_uint(q));
    }
    atomicAdd(out + g, (unsigned long long)s);
}
int main(int, char **argv) {
    folder = argv[1];
    const uint32_t M = 1u << 23, ONE = 0x3f800000;
    segment<rcp_ftz>("1", ONE, 1, M);
    segment<rsqrt_ftz>("1", ONE, 1, 2 * M);
    segment<sqrt_ftz>("1", ONE, 1, 2 * M);
    segment<lg2_ftz>("half", ONE - M, 1, M);
    segment<lg2_ftz>("1", ONE, 1, M);
    segment<lg2_ftz>("2", ONE + M, 8, 2 * M / 8);
    segment<lg2_ftz>("quarter", ONE - 2 * M, 8, M / 8);
    segment<lg2_ftz>("32", ONE + 5 * M, 16, M / 16);
    segment<ex2_ftz>("1", ONE, 1, M);
    segment<ex2_ftz>("half", ONE - M, 1, M);
    segment<ex2_ftz>("quarter", ONE - 2 * M, 8, M / 8);
    segment<ex2_ftz>("sixteenth", ONE - 4 * M, 8, M / 8);
    segment<ex2_ftz>("tiny", 0x30000000, 4096, (ONE - 4 * M - 0x30000000) / 4096);
    segment<ex2_ftz>("minus1", 0x80000000 + ONE, 1, M);
    segment<ex2_ftz>("minushalf", 0x80000000 + ONE - M, 8, M / 8);
    segment<ex2_ftz>("64", ONE + 6 * M, 16, M / 16);
    segment<sin_ftz>("quarter", ONE - 2 * M, 4, M / 4);
    segment<sin_ftz>("half", ONE - M, 2, M / 2);
    segment<sin_ftz>("1", ONE, 2, M / 2);
    segment<sin_ftz>("2", ONE + M, 4, M / 4);
    segment<sin_ftz>("4", ONE + 2 * M, 8, M / 8);
    segment<sin_ftz>("small", 0x30000000, 1024, (ONE - 2 * M - 0x30000000) / 1024);
    segment<sin_ftz>("large", ONE + 3 * M, 4096, 24 * M / 4096);
    segment<sin_ftz>("minus1", 0x80000000 + ONE, 16, M / 16);
    segment<cos_ftz>("half", ONE - M, 2, M / 2);
    segment<cos_ftz>("1", ONE, 2, M / 2);
    segment<cos_ftz>("2", ONE + M, 4, M / 4);
    segment<cos_ftz>("4", ONE + 2 * M, 8, M / 8);
    segment<cos_ftz>("small", 0x30000000, 2048, (ONE - M - 0x30000000) / 2048);
    segment<tanh_>("small", 0x20000000, 2048, (ONE - 3 * M - 0x20000000) / 2048);
    segment<tanh_>("eighth", ONE - 3 * M, 8, M / 8);
    segment<tanh_>("quarter", ONE - 2 * M, 4, M / 4);
    segment<tanh_>("half", ONE - M, 2, M / 2);
    segment<tanh_>("1", ONE, 2, M / 2);
    segment<tanh_>("2", ONE + M, 2, M / 2);
    segment<tanh_>("4", ONE + 2 * M, 2, M / 2);
    segment<tanh_>("8", ONE + 3 * M, 64, M / 64);
    uint32_t *d;
    cudaMalloc(&d, 8 << 20);
    for (int w = 0; w < 2; w++) {
        uint32_t n = (w + 1u) << 20, base = 0x3ff00000;
        doubles<<<n / 256, 256>>>(d, w, base, n);
        std::vector<uint32_t> h(n);
        cudaMemcpy(h.data(), d, n * 4, cudaMemcpyDeviceToHost);
        char name[200];
        snprintf(name, sizeof name, "%s/%s.d.%08x.1.%u.raw", argv[1], w ? "rsqrt64" : "rcp64", base, n);
        FILE *f = fopen(name, "wb");
        fwrite(h.data(), 4, n, f);
        fclose(f);
    }
    uint16_t *hd;
    cudaMalloc(&hd, 131072);
    for (int w = 0; w < 4; w++) {
        static const char *names[] = {"ex2_f16", "tanh_f16", "ex2_bf16", "tanh_bf16"};
        halves<<<256, 256>>>(hd, w);
        std::vector<uint16_t> h(65536);
        cudaMemcpy(h.data(), hd, 131072, cudaMemcpyDeviceToHost);
        FILE *f = fopen((folder + "/" + names[w] + ".raw16").c_str(), "wb");
        fwrite(h.data(), 2, 65536, f);
        fclose(f);
    }
    FILE *f = fopen((folder + "/hashes.txt").c_str(), "w");
    hashes<ex2_>(f); hashes<ex2_ftz>(f); hashes<lg2_>(f); hashes<lg2_ftz>(f); hashes<rcp_>(f); hashes<rcp_ftz>(f); hashes<rsqrt_>(f); hashes<rsqrt_ftz>(f);
    hashes<sqrt_>(f); hashes<sqrt_ftz>(f); hashes<sin_>(f); hashes<sin_ftz>(f); hashes<cos_>(f); hashes<cos_ftz>(f); hashes<tanh_>(f);
    unsigned long long *q, hq[256];
    cudaMalloc(&q, sizeof hq);
    for (int w = 0; w < 6; w++) {
        cudaMemset(q, 0, sizeof hq);
        quotients<<<256, 256>>>(q, w);
        cudaMemcpy(hq, q, sizeof hq, cudaMemcpyDeviceToHost);
        for (int g = 0; g < 256; g++) fprintf(f, "quotient%d %d %016llx\n", w, g, hq[g]);
    }
    fclose(f);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
