// A launch whose own threads are proved apart leaves the record that other streams and the host are compared with.
// revisions: one streams host waited
#include <stdio.h>

#define N (1 << 16)

__global__ void fill(int *p, int v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] = i + v; //[streams]~ ERROR global-race: `fill` in stream 2 writes
    //[streams]~^ RELATED global-race
    //[host]~^^ RELATED global-race
}

int main() {
    int *p;
    cudaStream_t s, t;
    cudaMallocManaged(&p, N * sizeof(int));
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    fill<<<N / 256, 256, 0, s>>>(p, 0); //[streams]~ RELATED global-race
    //[host]~^ RELATED global-race
#if defined REV_streams
    fill<<<N / 256, 256, 0, t>>>(p, 1); //[streams]~ RELATED global-race
#elif !defined REV_host
    fill<<<N / 256, 256, 0, s>>>(p, 1);
#endif
#if defined REV_host
    printf("%d\n", p[5] > 0); //[host]~ ERROR global-race
#else
    cudaDeviceSynchronize();
    printf("%d\n", p[5] > 0);
#endif
    cudaDeviceSynchronize();
    cudaFree(p);
    return 0;
}
