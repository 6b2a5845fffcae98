// CUDA's operations are instructions.
#include <cuda_runtime.h>

__device__ int counter;
__constant__ float table[4];

__global__ void operations(int *p, float *f) {
    __shared__ int box[32];
    extern __shared__ float dynamic[];
    int t = threadIdx.x + blockIdx.y * blockDim.z + gridDim.x;
    box[threadIdx.x] = atomicAdd(p, 1);
    __syncthreads();
    int many = __syncthreads_count(t > 3);
    atomicMax(&box[0], many);
    atomicCAS(&counter, 0, 1);
    atomicExch_block(p + 1, 2);
    __threadfence();
    unsigned mask = __ballot_sync(0xffffffffu, t & 1);
    int down = __shfl_down_sync(0xffffffffu, t, 1);
    float real = __shfl_xor_sync(0xffffffffu, table[t & 3], 2);
    __syncwarp(mask);
    dynamic[threadIdx.x] = real * f[down] + fmaf(real, 2.0f, 1.0f);
    f[t] = sqrtf(dynamic[threadIdx.x]) + __popc(mask);
}

void launch(int *p, float *f, cudaStream_t stream) {
    operations<<<dim3(2, 3), 32, 128, stream>>>(p, f);
}
