// One block alone, which any core may do, uses the result of an atomic operation: what follows may hang on the order of
// threads, and the finding says so on any number of cores.
__device__ int chosen, box[4];

__global__ void choose(int *a) {
    __shared__ int turn;
    if (threadIdx.x == 0) turn = 0;
    __syncthreads();
    a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    if (blockIdx.x == 190 && atomicAdd(&turn, 1) == 7) chosen = threadIdx.x;
}

__global__ void use() {
    box[chosen] = 1; //~ ERROR out-of-bounds
}

int main() {
    int *a;
    cudaMalloc(&a, 200 * 32 * sizeof *a);
    choose<<<200, 32>>>(a);
    use<<<1, 1>>>();
    cudaDeviceSynchronize();
    return 0;
}
