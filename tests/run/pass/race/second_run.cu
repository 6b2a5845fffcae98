// A launch that waits on flags runs twice for the race detector, and nobody notices: it takes memory from the
// heap, frees it, prints, reads the clock, draws numbers from a counter, and adds to what was there.
#include <stdio.h>

__device__ int *kept;
__device__ unsigned drawn;

__global__ void twice(volatile int *turn, int *sums, long long *times, int **pointers) {
    const int b = blockIdx.x;
    int *own = (int *)malloc(4 * sizeof(int));
    for (int k = 0; k < 4; ++k) own[k] = b + k;
    while (*turn != b) {
    }
    __threadfence();
    const long long start = clock64();
    sums[0] += own[3];
    sums[1] += (int)atomicAdd(&drawn, 1u) * b;
    if (b == 0) kept = own;
    if (b == 1) {
        own[0] = kept[2];
        free(kept);
        kept = own;
    }
    if (b == 2) sums[2] += kept[0];
    times[b] = clock64() - start;
    pointers[b] = own;
    printf("block %d\n", b);
    __threadfence();
    *turn = b + 1;
    if (b > 1) free(own);
}

__global__ void after() {
    printf("%d\n", kept[0] + kept[1]);
    free(kept);
}

int main() {
    int *turn, *sums;
    long long *times;
    int **pointers;
    cudaMalloc(&turn, sizeof(int));
    cudaMemset(turn, 0, sizeof(int));
    cudaMallocManaged(&sums, 3 * sizeof(int));
    cudaMallocManaged(&times, 4 * sizeof(long long));
    cudaMallocManaged(&pointers, 4 * sizeof(int *));
    sums[0] = 1000, sums[1] = sums[2] = 0;
    twice<<<4, 1>>>(turn, sums, times, pointers);
    after<<<1, 1>>>();
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", sums[0], sums[1], sums[2], times[3] > 0 && pointers[1] != pointers[2]);
    cudaFree(turn);
    cudaFree(sums);
    cudaFree(times);
    cudaFree(pointers);
    return 0;
}
