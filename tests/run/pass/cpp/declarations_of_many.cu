// Declarations of several variables in kernels, in shared memory and outside of functions.
// std: c++14
#include <cstdio>
#include <type_traits>
__device__ int dx = 1, dy = 2, da[3] = {1, 2, 3}, *dp = &dy; __constant__ float cc[2] = {1.5f, 2.5f}, cd = 3.5f; __managed__ int mx = 4, my = 5; __device__ struct P { int a = 6, b = 7; } dpv, dq{8, 9}; static __device__ int sx, sy = 10; constexpr int K = 3, L = K + 1; const int HK = 11, HL = HK + 1; namespace n { __device__ int z = 13, w = 14; } template <class T> __device__ T tv = T(15); template <class T> __device__ T tw = T(16.5);
__host__ __device__ int stat() {
#ifdef __CUDA_ARCH__
  return 0;
#else
  static int a = K, b = a + 1; return a++ + b++;
#endif
}
struct S { int v; __host__ __device__ S(int k) : v(k) {} __host__ __device__ ~S() {} __host__ __device__ int operator()(int k) const { return k + v; } }; template <class F> __host__ __device__ int app(F f, int k) { return f(k); }
__global__ void k(int *o, int n) { __shared__ int a[4], b[4], c; __shared__ float f, g[2]; __shared__ union { int i; float f; } u; extern __shared__ int dyn[]; int t = threadIdx.x, s = t + 1, l[2] = {t, s}, (*pl)[2] = &l; a[t] = t; b[t] = s; dyn[t] = t * 3; if (!t) { c = 5; f = 1.5f; g[0] = 2.5f, g[1] = 3.5f; u.f = 1.0f; } __syncthreads(); auto h = [=] { return t + s + K; }; static __shared__ int st; if (t == 1) st = 9; __syncthreads();
  int r = a[3 - t] * 1000 + b[t ^ 1] * 100 + c + int(f + g[0] + g[1]) + (u.i == 0x3f800000) + dyn[t ^ 2] + h() + (*pl)[1] + st; r += dx + dy + da[2] + *dp + int(cc[1] + cd) + mx + my + dpv.b + dq.a + sx + sy + HL + L + n::w + tv<int> + int(tw<double> * 2) + app(S(2), 3) + app([] __device__ (int q) { return q * 2; }, 4); o[t] = r; }
template <int A, class... T> __global__ void tk(int *o, T... v) { o[0] = A + (v + ... + 0); if constexpr (sizeof...(T) > 1) o[1] = sizeof...(T); else o[1] = -1; switch (int q = o[0]; q) { case 6: o[2] = 60; break; default: o[2] = q; } for (int i = 0, j = 4; i < j; i++, j--) o[3] = i * 10 + j; }
int main() { int *d, h[4], st = stat(); st += stat(); cudaMalloc(&d, sizeof h); k<<<1, 4, 16>>>(d, 4); cudaDeviceSynchronize(); cudaMemcpy(h, d, sizeof h, cudaMemcpyDefault); printf("%d %d %d %d %d %d\n", h[0], h[1], h[2], h[3], st, my); k<<<dim3(1), dim3(4), 4 * sizeof(int)>>>(d, 4); cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost); printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]); tk<1><<<1, 1>>>(d, 2, 3); cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost); printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]); tk<7><<<1, 1>>>(d); cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost); printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]); int vx, vs[3]; cudaMemcpyFromSymbol(&vx, sx, 4); cudaMemcpyFromSymbol(vs, da, 12); printf("%d %d %d\n", vx, vs[2], mx); cudaFree(d); }
