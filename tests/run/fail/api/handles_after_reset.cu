// What the program has handles of from before a reset is gone.
#include <cstdio>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__global__ void nothing() {}

int main() {
    cudaStream_t stream;
    cudaEvent_t event;
    int *pinned, *d;
    cudaMemPool_t pool;
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    cudaMallocHost(&pinned, 4); //~ RELATED use-after-free
    cudaMalloc(&d, 4);
    cudaDeviceGetDefaultMemPool(&pool, 0);
    *pinned = 1;
    SAY(cudaDeviceReset()); //~ RELATED use-after-free
    SAY(cudaEventRecord(event)); //~ ERROR api-error: an event is used after `cudaDeviceReset`
    SAY(cudaStreamQuery(stream)); //~ ERROR api-error: a stream is used after `cudaDeviceReset`
    nothing<<<1, 1, 0, stream>>>(); //~ ERROR api-error: a stream is used after `cudaDeviceReset`
    SAY(cudaGetLastError());
    SAY(cudaFree(d)); //~ ERROR invalid-free
    SAY(cudaFreeHost(pinned)); //~ ERROR invalid-free
    SAY(cudaMemPoolTrimTo(pool, 0)); //~ ERROR api-error: this value is not a memory pool
    cudaStreamCreate(&stream);
    nothing<<<1, 1, 0, stream>>>();
    SAY(cudaStreamSynchronize(stream));
    cudaStreamDestroy(stream);
    printf("%d\n", *pinned); //~ ERROR use-after-free
}
