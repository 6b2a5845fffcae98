#include <stdio.h>

__global__ void fill(int *data) { data[threadIdx.x] = threadIdx.x; }

int main() {
    int *host, *data;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocHost(&host, 64 * sizeof(int));
    cudaMalloc(&data, 64 * sizeof(int));
    fill<<<1, 64, 0, stream>>>(data);
    cudaMemcpyAsync(host, data, 64 * sizeof(int), cudaMemcpyDeviceToHost, stream);
    printf("%d\n", host[63]); //~ ERROR global-race
    cudaFree(data);
    cudaFreeHost(host);
    cudaStreamDestroy(stream);
}
