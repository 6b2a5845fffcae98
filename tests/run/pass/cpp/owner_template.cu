// The destructor of an instance frees what its constructor took: no leak.
#include <cstdio>
template <class T> struct DevPtr { T* p; DevPtr(int n) { cudaMalloc(&p, n * sizeof(T)); } ~DevPtr() { cudaFree(p); } T* get() const { return p; } };
__global__ void k(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() { DevPtr<int> d(32); k<<<1, 32>>>(d.get()); cudaDeviceSynchronize(); int x; cudaMemcpy(&x, d.get() + 5, 4, cudaMemcpyDeviceToHost); printf("%d\n", x); }
