// An asynchronous copy goes from global to shared memory.
// revisions: shared global
#include <cuda_pipeline_primitives.h>

__global__ void k(const int4 *in, int4 *out) {
    __shared__ int4 stage[32];
    __pipeline_memcpy_async(&stage[threadIdx.x], &in[threadIdx.x], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
#ifdef REV_global
    __pipeline_memcpy_async(&out[threadIdx.x], &stage[threadIdx.x], 16); //[global]~ ERROR wrong-memory-space
#else
    out[threadIdx.x] = stage[threadIdx.x];
#endif
}

int main() {
    int4 *in, *out;
    cudaMalloc(&in, 512);
    cudaMalloc(&out, 512);
    cudaMemset(in, 0, 512);
    k<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
