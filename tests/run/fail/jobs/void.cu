// The first block and the last one write one element. One between them prints, so that what cores did after they
// parted, which is after the first block, is void: what was before must count all the same.
#include <cstdio>

__global__ void ends(int *a) {
    if (blockIdx.x % 199 == 0) a[0] = blockIdx.x; //~ ERROR global-race
    if (blockIdx.x == 100) printf("here\n");
    a[1 + blockIdx.x] = 1;
}

int main() {
    int *a;
    cudaMalloc(&a, 201 * sizeof *a);
    ends<<<200, 1>>>(a);
    cudaDeviceSynchronize();
    cudaFree(a);
    return 0;
}
