// Device memory that nothing wrote: copying it is no use of it, adding to it is.
// revisions: copied added
#include <stdio.h>

__global__ void copy(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x]; }

__global__ void add(const int *in, int *out) {
    out[threadIdx.x] = in[threadIdx.x] + 1; //[added]~ ERROR uninitialized-read
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 8 * sizeof(int));
    cudaMalloc(&out, 8 * sizeof(int));
    cudaMemset(in, 0, 4 * sizeof(int));
#ifdef REV_copied
    copy<<<1, 8>>>(in, out);
    int host[8];
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[3]);
#else
    add<<<1, 8>>>(in, out);
    cudaDeviceSynchronize();
#endif
    cudaFree(in);
    cudaFree(out);
    return 0;
}
