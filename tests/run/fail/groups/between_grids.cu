// Two calls of grid.sync() order what is before with what is after, and nothing between them.
// revisions: with without

#include <cooperative_groups.h>

__global__ void turns(int *data) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    data[blockIdx.x] = 1;
    grid.sync();
    int sum = data[0] + data[1] + data[2]; //[without]~ ERROR global-race
#ifdef REV_with
    grid.sync();
#endif
    if (blockIdx.x == 0) data[2] = sum; //[without]~ RELATED global-race
    grid.sync();
}

int main() {
    int *data;
    cudaMalloc(&data, 3 * sizeof(int));
    void *args[] = {&data};
    cudaLaunchCooperativeKernel((void *)turns, dim3(3), dim3(1), args, 0, 0);
    cudaDeviceSynchronize();
    cudaFree(data);
    return 0;
}
