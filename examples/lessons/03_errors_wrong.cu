#include <stdio.h>

__global__ void fill(int *data) { data[threadIdx.x] = threadIdx.x; }

int main() {
    int *data, last = -1;
    cudaMalloc(&data, 2048 * sizeof(int));
    cudaMemset(data, 0, 2048 * sizeof(int));
    fill<<<1, 2048>>>(data); //~ ERROR invalid-launch
    cudaMemcpy(&last, data + 2047, sizeof last, cudaMemcpyDeviceToHost);
    printf("%d\n", last);
    cudaFree(data);
}
