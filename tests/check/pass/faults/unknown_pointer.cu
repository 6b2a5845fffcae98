// Where a pointer points to that is loaded from memory nobody knows: bounds are not proved then, but not checked.
__device__ int *table;

__global__ void through_memory(int *out) {
    out[threadIdx.x] = table[threadIdx.x + 100000];
}

__global__ void told(int *out) {
    out[threadIdx.x] = 1;
}

int main() {
    int *out;
    cudaMalloc(&out, 256);
    through_memory<<<1, 64>>>(out);
    told<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
