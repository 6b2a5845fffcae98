// Two streams write one array; a copy in a third reads it.
// revisions: streams one copied
#include <stdio.h>

#define N 64

__global__ void fill(int *p, int v) {
    p[threadIdx.x] = threadIdx.x + v; //[streams]~ ERROR global-race: `fill` in stream 2 writes 4 bytes
    //[streams]~^ RELATED global-race
    //[copied]~^^ RELATED global-race
}

int main() {
    int *p, *host;
    cudaStream_t s, t;
    cudaMalloc(&p, N * sizeof(int));
    cudaMallocHost(&host, N * sizeof(int));
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
#ifdef REV_copied
    fill<<<1, N, 0, s>>>(p, 0); //[copied]~ RELATED global-race
    cudaMemcpyAsync(host, p, N * sizeof(int), cudaMemcpyDeviceToHost, t); //[copied]~ ERROR global-race: `cudaMemcpyAsync` in stream 2 reads
#else
    fill<<<1, N, 0, s>>>(p, 0); //[streams]~ RELATED global-race
#ifdef REV_streams
    fill<<<1, N, 0, t>>>(p, 1); //[streams]~ RELATED global-race
#else
    fill<<<1, N, 0, s>>>(p, 1);
#endif
#endif
    cudaDeviceSynchronize();
    cudaFree(p);
    cudaFreeHost(host);
    return 0;
}
