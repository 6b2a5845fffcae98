#include <stdio.h>
#include <stdlib.h>

// Tells of a call that fails, and gives up.
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(error));         \
            exit(1);                                                                       \
        }                                                                                  \
    } while (0)

__global__ void fill(int *data) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = i;
}

int main() {
    int *data, last = -1;
    CHECK(cudaMalloc(&data, 2048 * sizeof(int)));
    fill<<<2, 1024>>>(data);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&last, data + 2047, sizeof last, cudaMemcpyDeviceToHost));
    printf("%d\n", last);
    CHECK(cudaFree(data));
}
