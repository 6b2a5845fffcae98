// Within a block a barrier, or within a warp `__syncwarp()`, orders accesses to global memory.
#include <stdio.h>

__global__ void turn(int *data) {
    int *mine = data + blockIdx.x * blockDim.x;
    const int t = threadIdx.x, n = blockDim.x;
    for (int k = 0; k < 3; ++k) {
        const int next = mine[(t + 1) % n];
        __syncthreads();
        mine[t] = next;
        __syncthreads();
    }
    // Lanes of one warp from here on.
    const int other = mine[t ^ 1];
    __syncwarp();
    mine[t] = other;
}

int main() {
    int *data;
    cudaMallocManaged(&data, 128 * sizeof(int));
    for (int i = 0; i < 128; ++i) data[i] = i;
    turn<<<2, 64>>>(data);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", data[0], data[1], data[127]);
    cudaFree(data);
    return 0;
}
