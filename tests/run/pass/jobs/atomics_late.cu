// The last blocks alone use atomics, and what they return: the launch goes back to one core, and each ticket is drawn
// once, in the order of the blocks.
#include <stdio.h>

__global__ void late(int *counter, int *tickets, int *plain) {
    plain[blockIdx.x] = blockIdx.x;
    if (blockIdx.x >= 190) tickets[blockIdx.x - 190] = atomicAdd(counter, 1);
}

int main() {
    int *counter, *tickets, *plain;
    cudaMalloc(&counter, sizeof(int));
    cudaMalloc(&tickets, 10 * sizeof(int));
    cudaMalloc(&plain, 200 * sizeof(int));
    cudaMemset(counter, 0, sizeof(int));
    late<<<200, 1>>>(counter, tickets, plain);
    int seen[10], all[200], sum = 0;
    cudaMemcpy(seen, tickets, sizeof seen, cudaMemcpyDeviceToHost);
    cudaMemcpy(all, plain, sizeof all, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 200; ++i) sum += all[i];
    for (int i = 0; i < 10; ++i) printf("%d ", seen[i]);
    printf("%d\n", sum);
    cudaFree(counter);
    cudaFree(tickets);
    cudaFree(plain);
    return 0;
}
