// Values that other lanes ask for and that were never written.
// revisions: variable memory segment
#include <cstdio>

__global__ void k(int *c, double *in, double *out) {
    int first;
    if (threadIdx.x == 0) first = atomicAdd(c, 32);
#if defined(REV_variable)
    first = __shfl_sync(~0u, first, 1); //[variable]~ ERROR uninitialized-read: `__shfl_sync` gives lanes 0-31 a value that was never written
    out[threadIdx.x] = first;
#elif defined(REV_segment)
    first = __shfl_sync(~0u, first, 0, 16); //[segment]~ ERROR uninitialized-read: `__shfl_sync` gives lanes 16-31 a value that was never written
    out[threadIdx.x] = first;
#else
    out[threadIdx.x] = __shfl_xor_sync(~0u, in[threadIdx.x], 1); //[memory]~ ERROR uninitialized-read: `__shfl_xor_sync` gives lanes 0-31 a value that was never written
#endif
}

int main() {
    int *c;
    double *in, *out;
    cudaMalloc(&c, sizeof(int));
    cudaMemset(c, 0, sizeof(int));
    cudaMalloc(&in, 32 * sizeof(double));
    cudaMalloc(&out, 32 * sizeof(double));
    k<<<1, 32>>>(c, in, out);
    cudaDeviceSynchronize();
    cudaFree(c);
    cudaFree(in);
    cudaFree(out);
}
