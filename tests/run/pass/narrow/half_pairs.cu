// half2 and bfloat162: pairs, conversions by the language, operators, shuffles, cached accesses, atomics, functions.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdio>

template <typename T> __host__ __device__ T poly(T x) { return x * x * T(0.5f) - x / T(4.0f) + T(1); }

template <typename T, typename T2> struct Result {
    T values[32];
    T2 pairs[32];
    T sum;
    T2 sum2;
};

template <typename T, typename T2> __global__ void kernel(const T* in, Result<T, T2>* out) {
    __shared__ T tile[32];
    int t = threadIdx.x;
    tile[t] = __ldg(in + t);
    __syncthreads();
    T v = poly(tile[31 - t]);
    if (v > T(100) && !(v == T(101)))
        v -= T(1);
    v++;
    out->values[t] = v;
    T2 p(tile[t], -tile[t]);
    p = __hfma2(p, p, p) + __lowhigh2highlow(p);
    p *= p;
    T2 other = __shfl_xor_sync(0xffffffffu, p, 1);
    if (__hbgt2(p, other))
        p = other;
    __stcg(&out->pairs[t], p);
    T s = tile[t];
    for (int d = 16; d > 0; d /= 2)
        s += __shfl_down_sync(0xffffffffu, s, d);
    if (t == 0)
        out->values[0] = s;
    atomicAdd(&out->sum, T(1));
    atomicAdd(&out->sum2, T2(T(1), T(0.5f)));
}

template <typename T, typename T2> void run(const char* name) {
    T* in;
    Result<T, T2>* out;
    cudaMallocManaged(&in, 32 * sizeof(T));
    cudaMallocManaged(&out, sizeof(Result<T, T2>));
    for (int i = 0; i < 32; i++)
        in[i] = i * 0.5;
    out->sum = 0;
    out->sum2 = T2(T(0), T(0));
    kernel<T, T2><<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    printf("%s: %zu %zu %zu\n", name, sizeof(T), sizeof(T2), alignof(T2));
    for (int i = 0; i < 32; i += 5)
        printf("%g (%g, %g)\n", (float)out->values[i], (float)out->pairs[i].x, (float)out->pairs[i].y);
    printf("%g (%g, %g)\n", (float)out->sum, (float)out->sum2.x, (float)out->sum2.y);
    cudaFree(in);
    cudaFree(out);
}

__global__ void functions(float* out) {
    const half h = 2.25f;
    out[0] = hsqrt(h), out[1] = hrcp(half(4)), out[2] = hexp2(half(5)), out[3] = hlog2(half(8));
    out[4] = hfloor(h), out[5] = hceil(h), out[6] = hrint(half(2.5f)), out[7] = htrunc(half(-2.75f));
    out[8] = hrsqrt(half(0.25f)), out[9] = hexp(half(0)), out[10] = hsin(half(0)), out[11] = hcos(half(0));
    half2 r = h2sqrt(make_half2(half(9), half(16)));
    out[12] = __low2float(r), out[13] = __high2float(r);
    out[14] = __heq2_mask(make_half2(h, h), make_half2(h, half(0))) == 0xffffu;
    half2 z = __hcmadd(make_half2(half(1), half(2)), make_half2(half(3), half(4)), make_half2(half(10), half(20)));
    out[15] = __low2float(z), out[16] = __high2float(z);
    out[17] = hsqrt(__nv_bfloat16(6.25f));
}

int main() {
    run<__half, __half2>("half");
    run<__nv_bfloat16, __nv_bfloat162>("bfloat16");
    float* out;
    cudaMallocManaged(&out, 18 * sizeof(float));
    functions<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 18; i++)
        printf("%g%c", out[i], i == 17 ? '\n' : ' ');
    cudaFree(out);

    half h = 7;
    int i = h;
    bool truth = h, none = half(0);
    h += 2.5f;
    float2 f = __half22float2(__float22half2_rn(make_float2(1.5f, -0.1f)));
    half2 low = __lows2half2(make_half2(1, 2), make_half2(3, 4)), high = __highs2half2(make_half2(1, 2), make_half2(3, 4));
    printf("%d %d %d %g %g %.8f\n", i, truth, none, (float)h, f.x, f.y);
    printf("%g %g %g %g\n", __low2float(low), __high2float(low), __low2float(high), __high2float(high));
    printf("%x %x %g %d\n", __half_as_ushort(half(-1)), __bfloat16_as_ushort(__nv_bfloat16(-1)),
           (float)CUDART_MAX_NORMAL_FP16, __hisnan(CUDART_NAN_FP16));
    return 0;
}
