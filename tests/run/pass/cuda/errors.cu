// The last error: kept until it is asked for, looked at without being cleared, returned by the call itself.
#include <stdio.h>

__global__ void nothing() {}

int main() {
    void *p = NULL;
    cudaError_t error = cudaMalloc(&p, (size_t)1 << 60);
    printf("%s\n", cudaGetErrorName(error));
    printf("peek: %s\n", cudaGetErrorName(cudaPeekAtLastError()));
    printf("peek: %s\n", cudaGetErrorName(cudaPeekAtLastError()));
    printf("get: %s\n", cudaGetErrorName(cudaGetLastError()));
    printf("get: %s\n", cudaGetErrorName(cudaGetLastError()));

    error = cudaSetDevice(99);
    printf("%s\n", cudaGetErrorName(error));
    printf("get: %s\n", cudaGetErrorString(cudaGetLastError()));

    error = cudaFree(NULL);
    printf("freeing nothing: %s\n", cudaGetErrorName(error));

    nothing<<<1, 1>>>();
    printf("launch: %s\n", cudaGetErrorName(cudaGetLastError()));
    printf("sync: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
