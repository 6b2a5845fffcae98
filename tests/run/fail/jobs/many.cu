// More words are written by several blocks than are compared, and one word by two blocks alone, the first and the last:
// whichever cores run them, both races are found.
#include <stdio.h>

#define WORDS 8192

__global__ void many(int *v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    v[i % WORDS] = i; //~ ERROR global-race
    if (threadIdx.x == 0 && (blockIdx.x == 0 || blockIdx.x == gridDim.x - 1))
        v[WORDS + 7] = i; //~ ERROR global-race
}

int main() {
    int *v;
    cudaMalloc(&v, (WORDS + 8) * sizeof(int));
    many<<<4 * WORDS / 256, 256>>>(v);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(v);
    return 0;
}
