// Launch bounds that depend on a template's parameters: each instance has its own.
// revisions: over fine
#include <cstdio>

template <int N> struct Shape {
    static constexpr int threads = 2 * N;
};
template <int N> __global__ __launch_bounds__(N, 4) void first(int *p) { p[threadIdx.x] = threadIdx.x; }
template <int N> __global__ void __launch_bounds__(Shape<N>::threads) member(int *p) { p[threadIdx.x] = threadIdx.x; }
template <class T> __global__ void __launch_bounds__(32 * sizeof(T), 2) size(int *p) { p[threadIdx.x] = threadIdx.x; }
template <> __global__ void __launch_bounds__(64) first<1>(int *p) { p[threadIdx.x] = -1; }

int main() {
    int *d, h[256];
    cudaMalloc(&d, sizeof h);
#ifdef REV_over
    first<128><<<1, 129>>>(d);  //[over]~ ERROR invalid-launch: its `__launch_bounds__` say 128
    member<16><<<1, 33>>>(d);   //[over]~ ERROR invalid-launch: its `__launch_bounds__` say 32
    size<short><<<1, 65>>>(d);  //[over]~ ERROR invalid-launch: its `__launch_bounds__` say 64
    first<1><<<1, 65>>>(d);     //[over]~ ERROR invalid-launch: its `__launch_bounds__` say 64
#else
    first<256><<<1, 256>>>(d);
    member<128><<<1, 256>>>(d);
    size<double><<<1, 256>>>(d);
    first<1><<<1, 64>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[63], h[255]);
#endif
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaFree(d);
}
