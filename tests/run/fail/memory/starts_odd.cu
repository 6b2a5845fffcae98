// A `float4` out of an array of `float` that does not start at a multiple of 16: shared variables lie in the order of their declarations.
// revisions: declared called copied atomic wide
#include <cuda/atomic>

__device__ __noinline__ float sum(const float4 *four) {
    float4 all = *four; //[called]~ ERROR misaligned-access: of `tile` (256 bytes): the address must be a multiple of 16
    return all.x + all.y;
}

struct __align__(16) Pair {
    double a, b;
};

__global__ void kernel(float *out) {
    __shared__ char flag;
    __shared__ float tile[64];
    if (threadIdx.x == 0)
        flag = 1;
    tile[threadIdx.x] = 1;
    __syncthreads();
#if defined(REV_declared)
    float4 v = *(float4 *)(tile + 4 * (threadIdx.x / 4)); //[declared]~ ERROR misaligned-access: of `tile` (256 bytes): the address must be a multiple of 16
    out[threadIdx.x] = v.x + flag;
#elif defined(REV_called)
    out[threadIdx.x] = sum((float4 *)(tile + 4 * (threadIdx.x / 4))) + flag;
#elif defined(REV_copied)
    Pair p = ((Pair *)tile)[threadIdx.x / 4]; //[copied]~ ERROR misaligned-access: of `tile` (256 bytes): the address must be a multiple of 16
    out[threadIdx.x] = p.a + p.b + flag;
#elif defined(REV_atomic)
    atomicAdd((unsigned long long *)tile + 1 + threadIdx.x / 4, 1); //[atomic]~ ERROR misaligned-access: of `tile` (256 bytes): the address must be a multiple of 8
    out[threadIdx.x] = flag;
#else
    double d = ((volatile double *)tile)[threadIdx.x / 4]; //[wide]~ ERROR misaligned-access: of `tile` (256 bytes): the address must be a multiple of 8
    out[threadIdx.x] = d + flag;
#endif
}

int main() {
    float *out;
    cudaMalloc(&out, 64 * sizeof(float));
    kernel<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
