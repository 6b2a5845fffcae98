// A histogram whose bins are spread over the shared memory of a cluster, for clusters of one to eight blocks.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void histogram(int *bins, int nbins, int per_block, const int *values, int n) {
    extern __shared__ int part[];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned int rank = cluster.block_rank(), blocks = cluster.num_blocks();
    for (int i = threadIdx.x; i < per_block; i += blockDim.x)
        part[i] = 0;
    // All parts are clear, and all blocks are there.
    cluster.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int bin = min(max(values[i], 0), nbins - 1);
        int *theirs = cluster.map_shared_rank(part, bin / per_block);
        atomicAdd(theirs + bin % per_block, 1);
    }
    // Nobody leaves while others count in its part.
    cluster.sync();
    for (int i = threadIdx.x; i < per_block; i += blockDim.x) {
        unsigned int bin = rank * per_block + i;
        if (bin < nbins)
            atomicAdd(&bins[bin], part[i]);
    }
    (void)blocks;
}

int main() {
    const int n = 4000, nbins = 100;
    int *values, *bins;
    cudaMallocManaged(&values, n * sizeof(int));
    cudaMallocManaged(&bins, nbins * sizeof(int));
    for (int size = 1; size <= 8; size *= 2) {
        for (int i = 0; i < n; i++)
            values[i] = (i * 7919) % 131 - 10;
        for (int i = 0; i < nbins; i++)
            bins[i] = 0;
        int per_block = (nbins + size - 1) / size;
        cudaLaunchConfig_t config = {};
        config.gridDim = 16;
        config.blockDim = 64;
        config.dynamicSmemBytes = per_block * sizeof(int);
        cudaLaunchAttribute attribute[1];
        attribute[0].id = cudaLaunchAttributeClusterDimension;
        attribute[0].val.clusterDim.x = size;
        attribute[0].val.clusterDim.y = 1;
        attribute[0].val.clusterDim.z = 1;
        config.attrs = attribute;
        config.numAttrs = 1;
        cudaError_t error = cudaLaunchKernelEx(&config, histogram, bins, nbins, per_block, (const int *)values, n);
        printf("%d: %s %s", size, cudaGetErrorName(error), cudaGetErrorName(cudaDeviceSynchronize()));
        int expected[nbins] = {}, wrong = 0, sum = 0;
        for (int i = 0; i < n; i++) {
            int bin = values[i] < 0 ? 0 : values[i] >= nbins ? nbins - 1 : values[i];
            expected[bin]++;
        }
        for (int i = 0; i < nbins; i++) {
            wrong += bins[i] != expected[i];
            sum += bins[i];
        }
        printf(" %d wrong, sum %d, ends %d %d\n", wrong, sum, bins[0], bins[nbins - 1]);
    }
    cudaFree(values);
    cudaFree(bins);
}
