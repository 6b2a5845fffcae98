// A failing assert in a kernel: the message, the error of what follows, and a context that stays broken.
#include <assert.h>
#include <stdio.h>

__global__ void check(int limit) {
    assert((int)threadIdx.x < limit); //~ ERROR assertion-failed
}

int main() {
    check<<<1, 4>>>(4);
    printf("first: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    check<<<1, 4>>>(3);
    printf("launched: %s\n", cudaGetErrorString(cudaGetLastError()));
    printf("second: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    printf("third: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    void *p;
    printf("malloc: %s\n", cudaGetErrorName(cudaMalloc(&p, 4)));
    return 0;
}
