// What callers pass reaches the launch: a stride that is odd or even by the caller, a loop of the host that doubles it.
// flags: --strict
__global__ void pairs(int *data, int stride) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2 * stride;
    data[i] += data[i + stride];
}

static void step(int *data, int blocks, int stride) {
    pairs<<<blocks, 64>>>(data, stride);
}

static void sum(int *data, int n) {
    for (int stride = 1; stride < n; stride *= 2)
        step(data, 16, stride);
}

int main() {
    int *data;
    cudaMalloc(&data, 1 << 20);
    cudaMemset(data, 0, 1 << 20);
    sum(data, 64);
    cudaDeviceSynchronize();
    cudaFree(data);
    return 0;
}
