// Objects with virtual functions that live on the device: made, used and deleted there.
#include <cstdio>
struct Op { __device__ virtual float f(float x) const = 0; __device__ virtual ~Op() {} };
struct Scale : Op { float k; __device__ Scale(float k) : k(k) {} __device__ float f(float x) const override { return k * x; } };
struct Shift : Op { float d; __device__ Shift(float d) : d(d) {} __device__ float f(float x) const override { return x + d; } };
__global__ void make(Op **ops) { ops[0] = new Scale(3); ops[1] = new Shift(10); }
__global__ void apply(Op **ops, float *out) { int t = threadIdx.x; out[t] = ops[t % 2]->f(t); }
__global__ void drop(Op **ops) { delete ops[threadIdx.x]; }
int main()
{
    Op **ops; float *out;
    cudaMallocManaged(&ops, 16); cudaMallocManaged(&out, 64 * 4);
    make<<<1, 1>>>(ops); apply<<<1, 64>>>(ops, out); drop<<<1, 2>>>(ops);
    cudaDeviceSynchronize();
    printf("%g %g %g %g\n", out[0], out[1], out[2], out[63]);
    cudaFree(ops); cudaFree(out);
}
