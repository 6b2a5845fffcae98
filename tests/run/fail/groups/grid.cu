// A kernel whose blocks wait for each other: without the wait they race, and all must fit on the device.
// revisions: race large
#include <cooperative_groups.h>
#include <cstdio>

__global__ void turn(int *a, int *b) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    unsigned t = grid.thread_rank();
    a[t] = t;
#ifndef REV_race
    grid.sync();
#endif
    b[t] = a[(t + 64) % grid.size()]; //[race]~ ERROR global-race
}

int main() {
    int *a, *b;
    int blocks = 4;
#ifdef REV_large
    blocks = 100000;
#endif
    cudaMalloc(&a, blocks * 64 * sizeof(int));
    cudaMalloc(&b, blocks * 64 * sizeof(int));
    void *args[] = {&a, &b};
    cudaError_t error = cudaLaunchCooperativeKernel(turn, dim3(blocks), dim3(64), args);
    printf("%s\n", cudaGetErrorString(error));
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
#ifdef REV_large
    return 0;
#endif
}
