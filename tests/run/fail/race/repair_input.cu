// A program whose input cannot be had again does not run again: the analysis alone looks at the barrier, where it can.
// revisions: read environment pointers
// stdin: 64
#include <stdio.h>
#include <stdlib.h>

__global__ void k(int *out, int **rows) {
    __shared__ int box[64];
    int t = threadIdx.x;
#ifdef REV_pointers
    // Where these point to no analysis knows.
    if (t == 0) rows[0] = box;
    __syncthreads();
    rows[0][t] = t;            //[pointers]~ RELATED shared-race
    out[t] = rows[0][63 - t]; //[pointers]~ ERROR shared-race
#else
    box[t] = t;           //[read,environment]~ RELATED shared-race
    out[t] = box[63 - t]; //[read,environment]~ ERROR shared-race
#endif
}

int main() {
    int n = 64;
#ifdef REV_environment
    if (getenv("HOME") == NULL) n = 64;
#else
    if (scanf("%d", &n) != 1) return 1;
#endif
    int *dev, **rows;
    cudaMalloc(&dev, 64 * sizeof(int));
    cudaMalloc(&rows, 64 * sizeof(int));
    cudaMemset(rows, 0, 64 * sizeof(int));
    k<<<1, n>>>(dev, rows);
    cudaDeviceSynchronize();
    cudaFree(dev);
    cudaFree(rows);
    return 0;
}
