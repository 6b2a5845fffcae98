// The host launches a few threads more than there are elements: the last block does not meet whole. Where the number of
// elements has nothing to do with the size of the array, that is said, too.
// flags: --strict
// revisions: less rest more
#include <cstdlib>

__global__ void reverse(float *data, int n) {
    __shared__ float s[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        s[threadIdx.x] = data[i]; //[rest]~ ERROR out-of-bounds: may touch bytes outside of what `data` points to
        __syncthreads(); //~ ERROR barrier-divergence: may diverge
        data[i] = s[127 - threadIdx.x]; //~ ERROR uninitialized-read //[rest]~ ERROR out-of-bounds: may touch bytes outside of what `data` points to
    }
    __syncthreads();
}

int main(int argc, char **argv) {
    int blocks = argc > 1 ? atoi(argv[1]) : 4;
    float *p;
    cudaMalloc(&p, blocks * 128 * 4);
#ifdef REV_less
    reverse<<<blocks, 128>>>(p, blocks * 128 - 1);
#elif defined REV_rest
    int n = argc * 100;
    reverse<<<(n + 127) / 128, 128>>>(p, n);
#else
    reverse<<<blocks, 128>>>(p, blocks * 64);
#endif
    cudaDeviceSynchronize();
    cudaFree(p);
    return 0;
}
