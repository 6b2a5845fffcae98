// Default member initialisers in kernels: `this` is the object that is made, and one member of a union has a value.
// std: c++14
#include <cstdio>
struct L { int a; int b = a + 1; int c; __device__ __host__ L *me() { return this; } };
struct K { int a = 700; __device__ int f(int k) { L l{k}; return l.b + a; } union { int i; float w = 2.5f; }; };
union U { int i; float w = 1.5f; };
__global__ void k(int *out) { K q; L l{(int)threadIdx.x}; U u; U z{}; __shared__ int s[2]; s[threadIdx.x] = l.b; __syncthreads(); out[threadIdx.x] = q.f(threadIdx.x) * 100 + s[1 - threadIdx.x] + int(q.w * 2) + int(u.w * 2) + int(z.w * 2); }
int main() { int *d, h[2]; cudaMalloc(&d, 8); k<<<1, 2>>>(d); cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost); printf("%d %d\n", h[0], h[1]); cudaFree(d); }
