// A shared array has an element for each thread of the block that is launched, or one less.
// flags: --verdicts
// revisions: enough one_less guarded
#ifdef REV_enough
constexpr int elements = 64;
#else
constexpr int elements = 63;
#endif

__global__ void turn(int *data) {
    __shared__ int box[elements];
#ifdef REV_guarded
    if (threadIdx.x < elements)
#endif
        box[threadIdx.x] = data[threadIdx.x]; //[one_less]~ ERROR out-of-bounds: at offset 252 of `box`, which has 252 bytes
    __syncthreads();
    data[threadIdx.x] = box[threadIdx.x / 2];
}

int main() {
    int *data;
    cudaMalloc(&data, 256);
    cudaMemset(data, 0, 256);
    turn<<<1, 64>>>(data);
    cudaDeviceSynchronize();
    cudaFree(data);
    return 0;
}
