// The last block adds up what the others left: each needs a fence between its part and its ticket.
// revisions: fence none
#include <stdio.h>

__device__ unsigned tickets = 0;

__global__ void sum(const int *in, int *parts, int *out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = in[blockIdx.x]; //[none]~ RELATED global-race
#ifdef REV_fence
        __threadfence();
#endif
        last = atomicAdd(&tickets, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < gridDim.x) {
        atomicAdd(out, parts[threadIdx.x]); //[none]~ ERROR global-race: has no fence before its write
    }
}

int main() {
    int *in, *parts, *out;
    cudaMallocManaged(&in, 4 * sizeof(int));
    cudaMalloc(&parts, 4 * sizeof(int));
    cudaMallocManaged(&out, sizeof(int));
    for (int i = 0; i < 4; ++i) in[i] = i + 1;
    *out = 0;
    sum<<<4, 32>>>(in, parts, out);
    cudaDeviceSynchronize();
    printf("%d\n", *out);
    cudaFree(in);
    cudaFree(parts);
    cudaFree(out);
    return 0;
}
