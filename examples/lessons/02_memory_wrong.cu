#include <stdio.h>

__global__ void square(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * in[i]; //~ ERROR wrong-memory-space
}

int main() {
    const int n = 100;
    int host[n], *out;
    for (int i = 0; i < n; i++)
        host[i] = i;
    cudaMalloc(&out, sizeof host);
    square<<<4, 32>>>(host, out, n);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[99]);
    cudaFree(out);
}
