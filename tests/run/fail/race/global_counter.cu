// Updates of one counter by all threads of all blocks: a read and a write, which get lost.
__device__ int total;

__global__ void count(int *bins) {
    total += 1; //~ ERROR global-race
    if (threadIdx.x == 0) bins[blockIdx.x / 2] = blockIdx.x; //~ ERROR global-race
}

int main() {
    int *bins;
    cudaMalloc(&bins, 2 * sizeof(int));
    count<<<4, 64>>>(bins);
    cudaDeviceSynchronize();
    cudaFree(bins);
    return 0;
}
