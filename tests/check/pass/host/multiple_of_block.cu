// The host launches a multiple of the block: what leaves early is whole blocks, or nothing.
// flags: --strict
#include <cstdlib>

__global__ void reverse(float *data, int n) {
    __shared__ float s[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    s[threadIdx.x] = data[i];
    __syncthreads();
    data[i] = s[127 - threadIdx.x];
}

int main(int argc, char **argv) {
    int blocks = argc > 1 ? atoi(argv[1]) : 4;
    float *p;
    cudaMalloc(&p, blocks * 128 * 4);
    reverse<<<blocks, 128>>>(p, blocks * 128);
    cudaDeviceSynchronize();
    cudaFree(p);
    return 0;
}
