// A numbered barrier whose count is never reached.
#include <cstdio>

__global__ void wait(int* out) {
    __shared__ int word;
    if (threadIdx.x == 0)
        word = 3;
    if (threadIdx.x < 64)
        asm volatile("bar.sync 2, 96;" ::: "memory"); //~ ERROR deadlock
    out[threadIdx.x] = word;
}

int main() {
    int* out;
    cudaMalloc(&out, 64 * sizeof *out);
    wait<<<1, 64>>>(out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
