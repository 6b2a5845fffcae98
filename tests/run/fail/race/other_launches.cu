// A launch that is proved free of races says nothing of one with other arguments or more blocks, nor of one with fewer where the kernel
// looks at how many there are.
// revisions: argument blocks counted none
#include <cstdio>

__global__ void moved(int *a, int n, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + by < n && (by > 1 || i < 9)) a[i] = a[i + by]; //[argument]~ ERROR global-race
}

__global__ void folded(int *a, int shift) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i & 0x7fff] = i + shift; //[blocks]~ ERROR global-race
}

__global__ void counted(int *a, int shift) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[gridDim.x == 32 && i < 2 ? 0 : i] = i + shift; //[counted]~ ERROR global-race
}

int main() {
    int n = 1 << 17, *a;
    cudaMalloc(&a, n * sizeof(int));
    cudaMemset(a, 0, n * sizeof(int));
    // Enough threads for a question about one launch, and for one about others.
    for (int k = 0; k < 8; k++) {
        moved<<<128, 256>>>(a, n - k, 1 << 16);
        folded<<<128, 256>>>(a, k);
        counted<<<128, 256>>>(a, k);
    }
#if defined(REV_argument)
    moved<<<128, 256>>>(a, n, 1);
#elif defined(REV_blocks)
    folded<<<129, 256>>>(a, 8);
#elif defined(REV_counted)
    counted<<<32, 256>>>(a, 8);
#else
    moved<<<64, 256>>>(a, n, 1 << 16);
    folded<<<64, 256>>>(a, 8);
    counted<<<64, 256>>>(a, 8);
#endif
    cudaDeviceSynchronize();
    cudaFree(a);
}
