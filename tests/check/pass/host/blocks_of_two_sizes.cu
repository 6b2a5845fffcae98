// The block is one of two sizes, and both are whole numbers of rounds.
// flags: --strict
__global__ void rounds(float *out) {
    __shared__ float s[64];
    for (int pos = threadIdx.x; pos < 64; pos += blockDim.x) {
        s[pos] = pos;
        __syncthreads();
        out[pos] = s[pos ^ 1];
        __syncthreads();
    }
}

int main(int argc, char **) {
    int threads = 64;
    if (argc > 1)
        threads = 32;
    float *p;
    cudaMalloc(&p, 4096);
    rounds<<<1, threads>>>(p);
    cudaDeviceSynchronize();
    cudaFree(p);
    return 0;
}
