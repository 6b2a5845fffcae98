#include "device_functions.h"
__device__ int plain(int x) { return x + 1; }
namespace inner {
__host__ __device__ int both(int x) { return x + 10; }
}
extern "C" __device__ int in_c(int x) { return x + 100; }
__device__ Counter::Counter(int n) : n(n) {}
__device__ int Counter::next() { return ++n; }
__global__ void other(const int *in, int *out) { *out += here(*in); }
void elsewhere(const int *in, int *out) { other<<<1, 1>>>(in, out); }
