// Work of several streams in an order that events, the default stream or the host's waiting give.
#include <stdio.h>

#define N 512

__global__ void fill(int *p, int v) {
    p[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

__global__ void add(int *to, const int *from) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] += from[N - 1 - i];
}

int main() {
    int *a, *b, *host;
    cudaStream_t s, t, u;
    cudaEvent_t first, second;
    cudaMalloc(&a, N * sizeof(int));
    cudaMalloc(&b, N * sizeof(int));
    cudaMallocHost(&host, N * sizeof(int));
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaStreamCreateWithFlags(&u, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&first, cudaEventDisableTiming);
    cudaEventCreate(&second);

    // An event orders two streams, and what it knows goes on to a third.
    fill<<<N / 64, 64, 0, s>>>(a, 1);
    cudaEventRecord(first, s);
    fill<<<N / 64, 64, 0, t>>>(b, 2);
    cudaStreamWaitEvent(t, first, 0);
    add<<<N / 64, 64, 0, t>>>(b, a);
    cudaEventRecord(second, t);
    cudaStreamWaitEvent(u, second, 0);
    add<<<N / 64, 64, 0, u>>>(a, b);
    cudaMemcpyAsync(host, a, N * sizeof(int), cudaMemcpyDeviceToHost, u);
    cudaStreamSynchronize(u);
    printf("%d\n", host[7]);

    // An event may be recorded again: the last time counts.
    cudaEventRecord(first, s);
    fill<<<N / 64, 64, 0, s>>>(a, 5);
    cudaEventRecord(first, s);
    cudaStreamWaitEvent(t, first, 0);
    fill<<<N / 64, 64, 0, t>>>(a, 6);
    cudaEventSynchronize(first);
    cudaStreamSynchronize(t);

    // The default stream waits for the others, and they for it.
    fill<<<N / 64, 64, 0, s>>>(a, 7);
    fill<<<N / 64, 64, 0, t>>>(b, 8);
    add<<<N / 64, 64>>>(a, b);
    add<<<N / 64, 64, 0, t>>>(b, a);
    cudaMemcpy(host, b, N * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", host[7]);

    // The host waits in between: by a stream, by an event, by asking until it is so, by a copy, by a free.
    fill<<<N / 64, 64, 0, s>>>(a, 9);
    cudaStreamSynchronize(s);
    fill<<<N / 64, 64, 0, u>>>(a, 10);
    cudaEventRecord(second, u);
    while (cudaEventQuery(second) == cudaErrorNotReady) {}
    fill<<<N / 64, 64, 0, s>>>(a, 11);
    while (cudaStreamQuery(s) == cudaErrorNotReady) {}
    fill<<<N / 64, 64, 0, u>>>(a, 12);
    cudaDeviceSynchronize();
    fill<<<N / 64, 64, 0, t>>>(a, 13);
    cudaFree(b);
    fill<<<N / 64, 64, 0, u>>>(a, 14);
    cudaMemcpyAsync(host, a, N * sizeof(int), cudaMemcpyDeviceToHost, u);
    cudaDeviceSynchronize();
    printf("%d\n", host[0]);

    cudaFree(a);
    cudaFreeHost(host);
    return 0;
}
