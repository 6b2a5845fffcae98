// Of two shared arrays one is proved free of races and left out by the detector; the race in the other is found.
// revisions: with without
#include <stdio.h>

#define N (1 << 15)

__global__ void pairs(const int *in, int *out) {
    __shared__ int own[256], box[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    own[t] = in[i];
    box[t] = 2 * own[t]; //[without]~ RELATED shared-race
#ifdef REV_with
    __syncthreads();
#endif
    out[i] = own[t] + box[own[t] & 255]; //[without]~ ERROR shared-race
}

int main() {
    int *in, *out;
    cudaMalloc(&in, N * sizeof(int));
    cudaMalloc(&out, N * sizeof(int));
    cudaMemset(in, 1, N * sizeof(int));
    pairs<<<N / 256, 256>>>(in, out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(in);
    cudaFree(out);
    return 0;
}
