// Objects with virtual bases on the device: what constructors and destructors see, casts, deletes.
#include <cstdio>
struct V { int v; __device__ V(int v = 1) : v(v) {} __device__ virtual ~V() { printf("~V %d\n", v); } __device__ virtual int who() { return 1; } };
struct A : virtual V { int a = 2; __device__ A() : V(10) { printf("A %d %d\n", who(), v); } __device__ ~A() { printf("~A %d\n", who()); } __device__ int who() override { return 2; } };
struct B : virtual V { int b = 3; __device__ B() : V(20) { printf("B %d %d\n", who(), v); } __device__ ~B() { printf("~B\n"); } };
struct D : A, B { int d = 4; __device__ D(int n) : V(n) {} __device__ ~D() { printf("~D\n"); } __device__ int who() override { return 40 + d; } };
__global__ void k(int* out) {
  D d(30 + threadIdx.x);
  V* v = &d; B& b = d;
  out[threadIdx.x] = v->who() * 1000 + b.v * 10 + b.b;
  V* h = new D(7); out[threadIdx.x] += h->v * 100000; delete h;
}
int main() { int* o; cudaMallocManaged(&o, 8); k<<<1, 2>>>(o); cudaDeviceSynchronize(); printf("%d %d\n", o[0], o[1]); cudaFree(o); }
