// Sums of a tensor core, in every type of accumulator, with exponents near and far. Each line is a hash of 2048 results;
// an H100's results are the same to the bit.
#include <cstdio>
#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>
using namespace nvcuda;
static __host__ __device__ uint64_t mix(uint64_t x) { x ^= x >> 32; x *= 0xd6e8feb86659fd93u; x ^= x >> 32; x *= 0xd6e8feb86659fd93u; x ^= x >> 32; return x; }
// Values of exponents in a range around one.
__device__ float value(uint64_t key, int spread, int digits) {
    uint64_t r = mix(key);
    if (spread < 0 && r % 7 == 0) return 0;
    int s = spread < 0 ? -spread : spread;
    float m = 1.0f + (float)((r >> 8) & ((1u << digits) - 1)) / (float)(1u << digits);
    int e = s ? (int)((r >> 40) % (2 * s + 1)) - s : 0;
    return ldexpf((r >> 3) & 1 ? -m : m, e);
}
template <class T> struct Of;
template <> struct Of<__half> { static __device__ __half go(float x) { return __float2half(x); } static const int digits = 10; };
template <> struct Of<__nv_bfloat16> { static __device__ __nv_bfloat16 go(float x) { return __float2bfloat16(x); } static const int digits = 7; };
template <class T, class C> __global__ void mma(uint32_t *out, int spread, int cspread, int kcount) {
    __shared__ T a[256], b[256];
    __shared__ C c[256];
    for (int i = threadIdx.x; i < 256; i += 32) {
        uint64_t key = (uint64_t)blockIdx.x << 32 | i;
        a[i] = Of<T>::go(i % 16 < kcount ? value(key, spread, Of<T>::digits) : 0.0f);
        b[i] = Of<T>::go(i / 16 < kcount ? value(key + 1000, spread, Of<T>::digits) : 0.0f);
        c[i] = (C)value(key + 2000, cspread, sizeof(C) == 2 ? 10 : 23);
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, C> fc;
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
    __syncwarp();
    for (int i = threadIdx.x; i < 256; i += 32) {
        float x = (float)c[i];
        out[blockIdx.x * 256 + i] = __float_as_uint(x);
    }
}
__global__ void tf32(uint32_t *out, int spread, int cspread) {
    __shared__ float a[128], b[128], c[256];
    for (int i = threadIdx.x; i < 256; i += 32) {
        uint64_t key = (uint64_t)blockIdx.x << 32 | i;
        if (i < 128) a[i] = wmma::__float_to_tf32(value(key, spread, 10)), b[i] = wmma::__float_to_tf32(value(key + 1000, spread, 10));
        c[i] = value(key + 2000, cspread, 23);
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> fc;
    wmma::load_matrix_sync(fa, a, 8);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
    __syncwarp();
    for (int i = threadIdx.x; i < 256; i += 32) out[blockIdx.x * 256 + i] = __float_as_uint(c[i]);
}
__global__ void f64(uint64_t *out, int spread) {
    __shared__ double a[32], b[32], c[64];
    for (int i = threadIdx.x; i < 64; i += 32) {
        uint64_t key = (uint64_t)blockIdx.x << 32 | i;
        if (i < 32) a[i] = value(key, spread, 23) / 3.0, b[i] = value(key + 1000, spread, 23) / 7.0;
        c[i] = value(key + 2000, spread, 23) / 5.0;
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> fc;
    wmma::load_matrix_sync(fa, a, 4);
    wmma::load_matrix_sync(fb, b, 8);
    wmma::load_matrix_sync(fc, c, 8, wmma::mem_row_major);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 8, wmma::mem_row_major);
    __syncwarp();
    for (int i = threadIdx.x; i < 64; i += 32) out[blockIdx.x * 64 + i] = (uint64_t)__double_as_longlong(c[i]);
}
static uint32_t *out;
static void show(const char *name, int spread, int cspread, int k, int words) {
    cudaError_t e = cudaDeviceSynchronize();
    uint64_t hash = 0;
    for (int i = 0; i < words; i++) hash = mix(hash ^ out[i]);
    printf("%-8s factors 2^%d accumulator 2^%d products %2d: %s %016llx\n", name, spread, cspread, k, cudaGetErrorName(e), (unsigned long long)hash);
}
int main() {
    cudaMallocManaged(&out, 1 << 15);
    const int T = 8;
    struct { int s, c, k; } cases[] = {{0, 0, 16}, {0, 0, 1}, {0, 12, 1}, {0, 12, 2}, {3, 3, 16}, {6, 12, 16}, {-6, -12, 16}, {2, 20, 4}, {6, 6, 8}};
    for (auto c : cases) {
        mma<__half, float><<<T, 32>>>(out, c.s, c.c, c.k);
        show("f16 f32", c.s, c.c, c.k, T * 256);
        mma<__half, __half><<<T, 32>>>(out, c.s, c.c > 6 ? 6 : c.c, c.k);
        show("f16 f16", c.s, c.c > 6 ? 6 : c.c, c.k, T * 256);
        mma<__nv_bfloat16, float><<<T, 32>>>(out, c.s, c.c, c.k);
        show("bf16 f32", c.s, c.c, c.k, T * 256);
        tf32<<<T, 32>>>(out, c.s, c.c);
        show("tf32 f32", c.s, c.c, 8, T * 256);
    }
    f64<<<T, 32>>>((uint64_t *)out, 5);
    show("f64 f64", 5, 5, 4, T * 128);
    cudaFree(out);
}
