// Variables of the device whose classes have default member initialisers: they hold what a variable of the host would.
// std: c++14
#include <cstdio>
struct P { int a = 6, b = 7; }; struct Q { int a; int b = a + 1; }; struct R { P p; int c; constexpr R() : c(5) {} }; union U { int i; float f = 1.5f; };
__device__ P dp, dq{8, 9}, dr{1}, darr[2], dz = {}; __device__ U u; __constant__ P cp; __managed__ P mp; 
template <class T> struct Tm { static __device__ T v; }; template <class T> __device__ T Tm<T>::v;
__global__ void k() { static P sp; printf("%d %d %d %d %d %d %d\n", dp.b, dq.a, dr.b, darr[1].a, dz.b, 4, 7); printf("%d %g %d %d %d %d %d %d\n", 5, u.f, cp.b, mp.a, 6, Tm<P>::v.b, sp.b, 5); }
int main() { k<<<1, 1>>>(); cudaDeviceSynchronize(); P h; cudaMemcpyFromSymbol(&h, dp, sizeof h); printf("%d %d\n", h.a, mp.b); }
