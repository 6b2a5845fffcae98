// Each thread takes memory from the device's heap, uses it and gives it back.
#include <stdio.h>
#include <stdlib.h>

__global__ void per_thread(int *sums) {
    int n = threadIdx.x + 1;
    int *mine = (int *)malloc(n * sizeof(int));
    if (mine == NULL) {
        sums[threadIdx.x] = -1;
        return;
    }
    for (int i = 0; i < n; ++i) mine[i] = i + 1;
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += mine[i];
    sums[threadIdx.x] = sum;
    free(mine);
}

// new and delete are the same heap.
__global__ void with_new(int *out) {
    int *one = new int(41);
    int *many = new int[4];
    for (int i = 0; i < 4; ++i) many[i] = i;
    *out = *one + many[3] - 2;
    delete one;
    delete[] many;
}

int main() {
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 8 * 1024 * 1024);
    int *dev, host[5];
    cudaMalloc(&dev, sizeof host);
    per_thread<<<1, 5>>>(dev);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 5; ++i) printf("%d ", host[i]);
    with_new<<<1, 1>>>(dev);
    cudaMemcpy(host, dev, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
    cudaFree(dev);
    return 0;
}
