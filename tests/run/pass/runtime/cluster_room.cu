// How many clusters find room at once: a cluster stays within one group of multiprocessors, and of the blocks of clusters
// a multiprocessor holds eight at most. How large clusters can be.
#include <cstdio>

__global__ void touch(int *p) {
    extern __shared__ int box[];
    box[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) p[blockIdx.x] = box[0];
}

int main() {
    cudaFuncSetAttribute(touch, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024);
    for (int blocks : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 17}) {
        cudaFuncSetAttribute(touch, cudaFuncAttributeNonPortableClusterSizeAllowed, blocks > 8);
        for (size_t shared : {0, 100000, 200000}) {
            cudaLaunchAttribute of;
            of.id = cudaLaunchAttributeClusterDimension;
            of.val.clusterDim.x = blocks;
            of.val.clusterDim.y = of.val.clusterDim.z = 1;
            cudaLaunchConfig_t config = {};
            config.gridDim = dim3(blocks * 512);
            config.blockDim = dim3(32);
            config.dynamicSmemBytes = shared;
            config.attrs = &of;
            config.numAttrs = 1;
            int clusters = -1, most = -1, resident = -1;
            cudaError_t e = cudaOccupancyMaxActiveClusters(&clusters, touch, &config);
            cudaError_t f = cudaOccupancyMaxPotentialClusterSize(&most, touch, &config);
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, touch, 32, shared);
            printf("of %d with %zu bytes: %s %d, at most %s %d, %d blocks without\n", blocks, shared, cudaGetErrorName(e),
                   clusters, cudaGetErrorName(f), most, resident);
        }
    }
}
