// An array of 1,000 elements, and a kernel that is told of one more. Near miss: it is told the truth.
// revisions: all more
#include <cstdlib>

__global__ void fill(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i; //[more]~ ERROR out-of-bounds: thread 232 of block 3 touches 4 bytes at offset 4000 of what `out` points to, which has 4000 bytes
}

static void run(int *out, int n) {
    fill<<<(n + 255) / 256, 256>>>(out, n);
}

int main() {
    int *out;
    cudaMalloc(&out, 1000 * sizeof(int));
#ifdef REV_more
    run(out, 1001);
#else
    run(out, 1000);
#endif
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
