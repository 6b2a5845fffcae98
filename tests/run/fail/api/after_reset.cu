// A reset does not mend a context that a kernel broke: the reset succeeds, and no other context can be made.
#include <cstdio>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__global__ void bad(int *p) { *p = 1; } //~ ERROR null-dereference
__global__ void good(int *p) { *p = 7; }

int main() {
    int *p, host = 0;
    cudaMalloc(&p, 4);
    bad<<<1, 1>>>(nullptr);
    SAY(cudaDeviceSynchronize());
    SAY(cudaGetLastError());
    SAY(cudaMalloc(&p, 4));
    SAY(cudaDeviceReset());
    SAY(cudaGetLastError());
    SAY(cudaMalloc(&p, 4));
    good<<<1, 1>>>(p);
    SAY(cudaGetLastError());
    SAY(cudaDeviceSynchronize());
    SAY(cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost));
    printf("%d\n", host);
}
