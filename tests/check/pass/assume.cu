// What is assumed of a launch proves what nothing else tells: sizes, offsets, a block that is a power of two.
// flags: --strict --grid-dim 16 --assume n==4096 --assume blockDim.x==128
// flags: --assume gap>=2048&&gap<10000
__global__ void apart(int *out, int gap) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i + gap] = out[i];
}

__global__ void halves(float *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2)
        data[i] += data[i + n / 2];
}

__global__ void whole(float *data, int n) {
    if (threadIdx.x < n)
        __syncthreads();
    data[threadIdx.x + blockIdx.x * blockDim.x] = 0;
}
