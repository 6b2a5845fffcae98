#include <stdio.h>

__global__ void count(const unsigned char *text, int n, unsigned *counts) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&counts[text[i]], 1);
}

int main() {
    const int n = 1000;
    unsigned char text[n], *in;
    unsigned counts[8], *out;
    for (int i = 0; i < n; i++)
        text[i] = i * i % 8;
    cudaMalloc(&in, sizeof text);
    cudaMalloc(&out, sizeof counts);
    cudaMemcpy(in, text, sizeof text, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof counts);
    count<<<8, 128>>>(in, n, out);
    cudaMemcpy(counts, out, sizeof counts, cudaMemcpyDeviceToHost);
    printf("%u\n", counts[1]);
    cudaFree(in);
    cudaFree(out);
}
