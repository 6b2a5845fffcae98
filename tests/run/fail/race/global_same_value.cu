// All blocks write the same value to one place.
__global__ void mark(char *found, const int *data) {
    if (data[blockIdx.x * blockDim.x + threadIdx.x] == 0) {
        *found = 1; //~ WARNING global-race
    }
}

int main() {
    char *found;
    int *data;
    cudaMalloc(&found, 1);
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    mark<<<2, 32>>>(found, data);
    cudaDeviceSynchronize();
    cudaFree(found);
    cudaFree(data);
    return 0;
}
