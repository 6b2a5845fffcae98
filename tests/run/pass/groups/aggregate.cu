// One lane writes, the others ask it: what they have of their own need not be written.
#include <cstdio>

__global__ void aggregate(int *counter, int *out) {
    int first;
    if (threadIdx.x % 32 == 0) first = atomicAdd(counter, 32);
    first = __shfl_sync(~0u, first, 0);
    out[threadIdx.x] = first + threadIdx.x % 32;
}

__global__ void wide(double *out) {
    double x;
    if (threadIdx.x % 2) x = threadIdx.x;
    double y = __shfl_sync(~0u, x, threadIdx.x | 1);
    out[threadIdx.x] = y;
}

int main() {
    int *counter, *out;
    double *d;
    cudaMallocManaged(&counter, sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    cudaMallocManaged(&d, 32 * sizeof(double));
    *counter = 5;
    aggregate<<<1, 64>>>(counter, out);
    wide<<<1, 32>>>(d);
    cudaDeviceSynchronize();
    printf("%d %d %g %g\n", *counter, out[3] % 32, d[6], d[31]);
    cudaFree(counter); cudaFree(out); cudaFree(d);
}
