// A barrier orders the threads of a block, but not the last of one with the first of the next.
__global__ void shift(int *data) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int next = data[i + 1]; //~ ERROR global-race
    __syncthreads();
    data[i] = next; //~ RELATED global-race
}

int main() {
    int *data;
    cudaMalloc(&data, 513 * sizeof(int));
    cudaMemset(data, 0, 513 * sizeof(int));
    shift<<<4, 128>>>(data);
    cudaDeviceSynchronize();
    cudaFree(data);
    return 0;
}
