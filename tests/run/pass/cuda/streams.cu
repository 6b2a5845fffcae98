// Two streams with asynchronous copies and events that order one after the other.
#include <stdio.h>

#define COUNT 1024

__global__ void fill(int *data, int value) {
    data[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void add(const int *a, const int *b, int *sum) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sum[i] = a[i] + b[i];
}

int main() {
    cudaStream_t first, second;
    cudaEvent_t filled, start, stop;
    int *a, *b, *sum, *host;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEventCreate(&filled);
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaMalloc(&a, COUNT * sizeof(int));
    cudaMalloc(&b, COUNT * sizeof(int));
    cudaMalloc(&sum, COUNT * sizeof(int));
    cudaMallocHost(&host, COUNT * sizeof(int));

    cudaEventRecord(start, second);
    fill<<<COUNT / 128, 128, 0, first>>>(a, 40);
    cudaEventRecord(filled, first);
    fill<<<COUNT / 128, 128, 0, second>>>(b, 2);
    cudaStreamWaitEvent(second, filled, 0);
    add<<<COUNT / 128, 128, 0, second>>>(a, b, sum);
    cudaMemcpyAsync(host, sum, COUNT * sizeof(int), cudaMemcpyDeviceToHost, second);
    cudaEventRecord(stop, second);
    cudaEventSynchronize(stop);

    int wrong = 0;
    for (int i = 0; i < COUNT; ++i) wrong += host[i] != 42;
    printf("wrong: %d\n", wrong);

    float ms = -1;
    cudaError_t timed = cudaEventElapsedTime(&ms, start, stop);
    printf("timed: %s, not negative: %d\n", cudaGetErrorName(timed), ms >= 0);
    printf("query: %s %s\n", cudaGetErrorName(cudaEventQuery(stop)), cudaGetErrorName(cudaStreamQuery(second)));

    cudaMemsetAsync(a, 0xff, COUNT * sizeof(int), first);
    cudaMemcpyAsync(host, a, COUNT * sizeof(int), cudaMemcpyDeviceToHost, first);
    cudaStreamSynchronize(first);
    printf("%d %d\n", host[0], host[COUNT - 1]);

    cudaFreeHost(host);
    cudaFree(a);
    cudaFree(b);
    cudaFree(sum);
    cudaEventDestroy(filled);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    return 0;
}
