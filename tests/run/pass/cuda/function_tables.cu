// Functions named in initialisers of local arrays and structs, on both sides.
#include <stdio.h>

typedef int (*Op)(int, int);

__host__ __device__ int add(int a, int b) { return a + b; }
__host__ __device__ int sub(int a, int b) { return a - b; }

struct Named {
    Op op;
    int bias;
};

__host__ __device__ int apply(int i, int a, int b) {
    Op plain[2] = {add, sub};
    Op taken[] = {&sub, *add};
    Named named = {add, 100};
    return plain[i & 1](a, b) * 10000 + taken[i & 1](a, b) * 100 + named.op(a, b) + named.bias;
}

__global__ void kernel(int *out) { out[threadIdx.x] = apply(threadIdx.x, 7, threadIdx.x); }

int main() {
    int *dev, host[8], wrong = 0;
    cudaMalloc(&dev, sizeof host);
    kernel<<<1, 8>>>(dev);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++) wrong += host[i] != apply(i, 7, i);
    printf("%d wrong, %d\n", wrong, host[2]);
    cudaFree(dev);
    return wrong != 0;
}
