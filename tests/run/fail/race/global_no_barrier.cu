// Within one block, global memory needs a barrier as shared memory does.
__global__ void reverse(int *data, int *out) {
    data[threadIdx.x] = threadIdx.x; //~ RELATED global-race
    out[threadIdx.x] = data[blockDim.x - 1 - threadIdx.x]; //~ ERROR global-race
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    reverse<<<1, 64>>>(data, out);
    cudaDeviceSynchronize();
    cudaFree(data);
    cudaFree(out);
    return 0;
}
