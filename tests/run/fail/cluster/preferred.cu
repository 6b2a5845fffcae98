// A launch may prefer larger clusters than it has, and none where it has none.
// revisions: fine none
#include <cstdio>

__global__ void work() {}

int main() {
    cudaLaunchAttribute of[2];
    of[0].id = cudaLaunchAttributePreferredClusterDimension;
    of[0].val.preferredClusterDim = {4, 1, 1};
    of[1].id = cudaLaunchAttributeClusterDimension;
    of[1].val.clusterDim = {2, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(8);
    config.blockDim = dim3(32);
    config.attrs = of;
#ifdef REV_fine
    config.numAttrs = 2;
#else
    config.numAttrs = 1;
#endif
    cudaError_t error = cudaLaunchKernelExC(&config, (const void *)work, nullptr); //[none]~ ERROR invalid-launch: preferred clusters of 4 x 1 x 1 blocks, and no clusters
    printf("%s %s\n", cudaGetErrorName(error), cudaGetErrorName(cudaDeviceSynchronize()));
}
