#include <stdio.h>

// The lanes exchange registers: no shared memory, and each shuffle says who takes part.
__global__ void sum_warp(const int *in, int *out) {
    int part = in[threadIdx.x];
    for (int half = 16; half > 0; half /= 2)
        part += __shfl_down_sync(0xffffffff, part, half);
    if (threadIdx.x == 0)
        *out = part;
}

int main() {
    int host[32], *in, *out, total;
    for (int i = 0; i < 32; i++)
        host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    sum_warp<<<1, 32>>>(in, out);
    cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost);
    printf("%d\n", total);
    cudaFree(in);
    cudaFree(out);
}
