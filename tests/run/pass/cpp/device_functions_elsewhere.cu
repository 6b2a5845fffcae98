// Device functions and a kernel that another source defines: with and without namespaces, C's linkage, members, both
// sides.
// also: aux/device_functions.cu
#include <cstdio>
#include "aux/device_functions.h"

__global__ void kernel(const int *in, int *out) {
    out[0] = plain(in[0]);
    out[1] = inner::both(in[0]);
    out[2] = in_c(in[0]);
    out[3] = Counter(in[0]).next();
}

int main() {
    int *d, h[5] = {3};
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    kernel<<<1, 1>>>(d, d + 1);
    elsewhere(d, d + 4);
    other<<<1, 1>>>(d, d + 4);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d, %d\n", h[1], h[2], h[3], h[4], inner::both(3));
    cudaFree(d);
}

__device__ int here(int x) { return x * 1000; }
