// flags: --device a100
// A device whose blocks form no clusters.
#include <cstdio>

__global__ void __cluster_dims__(2) fixed() {}
__global__ void plain() {}

cudaError_t launch(int size) {
    cudaLaunchConfig_t config = {};
    config.gridDim = 4;
    config.blockDim = 32;
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {(unsigned)size, 1, 1};
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, plain); //~ ERROR invalid-launch: with clusters of 2 x 1 x 1 blocks on NVIDIA A100
}

int main() {
    fixed<<<4, 32>>>(); //~ ERROR invalid-launch: with clusters of 2 x 1 x 1 blocks on NVIDIA A100
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    printf("%s\n", cudaGetErrorName(launch(2)));
    printf("%s\n", cudaGetErrorName(launch(1)));
    int size = 0;
    cudaLaunchConfig_t config = {};
    config.gridDim = 4;
    config.blockDim = 32;
    printf("%s", cudaGetErrorName(cudaOccupancyMaxPotentialClusterSize(&size, plain, &config)));
    printf(" %d\n", size);
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    printf("%d %s\n", p.clusterLaunch, cudaGetErrorName(cudaDeviceSynchronize()));
}
