// Block 0 works on, with barriers, until block 1 says that it is done. Blocks run one after the other until one waits;
// this one never does, so it has to make way after a while.
#include <cstdio>

__device__ int done[2];

__device__ bool all_done() {
    __shared__ bool all;
    if (threadIdx.x == 0) {
        all = atomicAdd(&done[0], 0) && atomicAdd(&done[1], 0);
    }
    __syncthreads();
    bool answer = all;
    __syncthreads();
    return answer;
}

__global__ void work(int* turns) {
    int mine = 0;
    do {
        if (threadIdx.x == 0) atomicExch(&done[blockIdx.x], 1);
        mine++;
    } while (!all_done());
    if (threadIdx.x == 0) turns[blockIdx.x] = mine;
}

int main() {
    int *turns, host[2];
    cudaMalloc(&turns, sizeof host);
    work<<<2, 64>>>(turns);
    cudaMemcpy(host, turns, sizeof host, cudaMemcpyDeviceToHost);
    printf("%s\n", host[0] < 10000 && host[1] < 10000 ? "soon" : "late");
    cudaFree(turns);
}
