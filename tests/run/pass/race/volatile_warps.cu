// Volatile accesses do not race with each other: in global memory, nor in shared memory between warps.
#include <stdio.h>

__global__ void watch(volatile int *progress, int *out) {
    __shared__ volatile int stage[4];
    const int w = threadIdx.x / 32;
    if (threadIdx.x < 4) stage[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        stage[w] = w + 1;
        progress[0] = w;
        const int seen = progress[0] + stage[(w + 1) % 4];
        out[w] = seen >= 0;
    }
}

int main() {
    int *progress, *out;
    cudaMalloc(&progress, sizeof(int));
    cudaMallocManaged(&out, 4 * sizeof(int));
    cudaMemset(progress, 0, sizeof(int));
    watch<<<1, 128>>>(progress, out);
    cudaDeviceSynchronize();
    printf("%d\n", out[0] + out[1] + out[2] + out[3]);
    cudaFree(progress);
    cudaFree(out);
    return 0;
}
