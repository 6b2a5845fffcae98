// One block passes data to another: write, fence, flag; flag, fence, read.
#include <stdio.h>

__global__ void pass_on(int *data, volatile int *flag, int *out) {
    if (blockIdx.x == 1) {
        *data = 42;
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        __threadfence();
        *out = *data;
    }
}

int main() {
    int *data, *flag, *out;
    cudaMalloc(&data, sizeof(int));
    cudaMalloc(&flag, sizeof(int));
    cudaMallocManaged(&out, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    pass_on<<<2, 1>>>(data, flag, out);
    cudaDeviceSynchronize();
    printf("%d\n", *out);
    cudaFree(data);
    cudaFree(flag);
    cudaFree(out);
    return 0;
}
