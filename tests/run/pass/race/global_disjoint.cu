// Each thread of each block writes elements of its own: side by side, strided, and bytes in one word.
#include <stdio.h>

__device__ int sums[4];

__global__ void own(int *rows, int *strided, char *bytes, const int *shared_by_all) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int n = gridDim.x * blockDim.x;
    rows[i] = i + shared_by_all[0];
    for (int k = i; k < 4 * n; k += n) strided[k] = k;
    // Blocks of three threads: words are shared by two blocks, bytes are not.
    bytes[i] = (char)i;
    bytes[i] = bytes[i] + 1;
    if (threadIdx.x == 0) sums[blockIdx.x] = rows[i];
}

// After the first kernel every thread may read all that it wrote.
__global__ void gather(const int *rows, const char *bytes, int *out, int n) {
    int sum = 0;
    for (int k = 0; k < n; ++k) sum += rows[k] + bytes[k] + sums[k % 4];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
    const int n = 12;
    int *rows, *strided, *out, *one;
    char *bytes;
    cudaMalloc(&rows, n * sizeof(int));
    cudaMalloc(&strided, 4 * n * sizeof(int));
    cudaMalloc(&bytes, n);
    cudaMallocManaged(&out, n * sizeof(int));
    cudaMallocManaged(&one, sizeof(int));
    *one = 1;
    own<<<4, 3>>>(rows, strided, bytes, one);
    gather<<<4, 3>>>(rows, bytes, out, n);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[0], out[n - 1]);
    cudaFree(rows);
    cudaFree(strided);
    cudaFree(bytes);
    cudaFree(out);
    cudaFree(one);
    return 0;
}
