// What a thread can ask of its cluster, by cooperative groups, by functions and in PTX.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__device__ void show(const char *what, dim3 d) { printf(" %s(%u,%u,%u)", what, d.x, d.y, d.z); }

__device__ unsigned int differs(dim3 a, unsigned int x, unsigned int y, unsigned int z) {
    return a.x != x || a.y != y || a.z != z;
}

#define REGISTER(name)                                                                                 \
    ([] {                                                                                              \
        unsigned int value;                                                                            \
        asm("mov.u32 %0, %%" name ";" : "=r"(value));                                                  \
        return value;                                                                                  \
    }())

__device__ int wrong;

__global__ void __cluster_dims__(2, 2, 1) queries(dim3 block, dim3 thread) {
    __shared__ int box[4];
    cg::cluster_group cluster = cg::this_cluster();
    cg::grid_group grid = cg::this_grid();
    unsigned int bad = 0;
    bad += differs(__clusterDim(), 2, 2, 1) + differs(cluster.dim_blocks(), 2, 2, 1);
    bad += differs(__clusterIdx(), blockIdx.x / 2, blockIdx.y / 2, blockIdx.z);
    bad += differs(__clusterRelativeBlockIdx(), blockIdx.x % 2, blockIdx.y % 2, 0);
    bad += differs(cluster.block_index(), blockIdx.x % 2, blockIdx.y % 2, 0);
    bad += differs(__clusterGridDimInClusters(), 2, 1, 3) + differs(grid.dim_clusters(), 2, 1, 3);
    bad += __clusterSizeInBlocks() != 4 || cluster.num_blocks() != 4 || !__clusterDimIsSpecified();
    bad += __clusterRelativeBlockRank() != cluster.block_rank();
    bad += differs(cluster.dim_threads(), 16, 4, 1) || cluster.num_threads() != 64 || cluster.size() != 64;
    bad += cg::group_size(cluster) != 64 || cg::thread_rank(cluster) != cluster.thread_rank();
    // The same in PTX.
    bad += differs(dim3(REGISTER("cluster_nctaid.x"), REGISTER("cluster_nctaid.y"), REGISTER("cluster_nctaid.z")), 2, 2, 1);
    bad += differs(cluster.block_index(), REGISTER("cluster_ctaid.x"), REGISTER("cluster_ctaid.y"),
                   REGISTER("cluster_ctaid.z"));
    bad += differs(grid.cluster_index(), REGISTER("clusterid.x"), REGISTER("clusterid.y"), REGISTER("clusterid.z"));
    bad += differs(grid.dim_clusters(), REGISTER("nclusterid.x"), REGISTER("nclusterid.y"), REGISTER("nclusterid.z"));
    bad += REGISTER("cluster_ctarank") != cluster.block_rank() || REGISTER("cluster_nctarank") != 4;
    int given;
    asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.s32 %0, 1, 0, p; }" : "=r"(given));
    bad += given != 1;
    // Addresses.
    cluster.sync();
    unsigned int next = (cluster.block_rank() + 1) % 4;
    int *theirs = cluster.map_shared_rank(&box[2], next), local = 0;
    bad += cluster.query_shared_rank(theirs) != next || cluster.query_shared_rank(box) != cluster.block_rank();
    bad += cluster.map_shared_rank(theirs, cluster.block_rank()) != &box[2] || theirs == &box[2];
    bad += (int *)__cluster_map_shared_rank(box, next) + 2 != theirs || __cluster_query_shared_rank(theirs) != next;
    bad += !__isClusterShared(theirs) || !__isClusterShared(box) || __isClusterShared(&wrong) || __isClusterShared(&local);
    bad += __isShared(theirs) || !__isShared(box) || !__isCtaShared(box);
    cluster.sync();
    atomicAdd(&wrong, bad);
    if (blockIdx.x == block.x && blockIdx.y == block.y && blockIdx.z == block.z && threadIdx.x == thread.x &&
        threadIdx.y == thread.y) {
        printf("rank %u of %u", cluster.block_rank(), cluster.num_blocks());
        show("block", cluster.block_index());
        show("thread", cluster.thread_index());
        printf(" %u of %u, cluster %llu of %llu", cluster.thread_rank(), cluster.num_threads(), grid.cluster_rank(),
               grid.num_clusters());
        show("", grid.cluster_index());
        printf("\n");
    }
}

__global__ void alone() {
    cg::cluster_group cluster = cg::this_cluster();
    int given;
    asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.s32 %0, 1, 0, p; }" : "=r"(given));
    cluster.sync();
    if (blockIdx.x == 1 && threadIdx.x == 3) {
        printf("alone: rank %u of %u, %u threads, given %u %d", cluster.block_rank(), cluster.num_blocks(),
               cluster.num_threads(), __clusterDimIsSpecified(), given);
        show("dim", __clusterDim());
        show("index", __clusterIdx());
        show("clusters", __clusterGridDimInClusters());
        printf("\n");
    }
}

int main() {
    queries<<<dim3(4, 2, 3), dim3(8, 2)>>>(dim3(0, 0, 0), dim3(0, 0));
    cudaDeviceSynchronize();
    queries<<<dim3(4, 2, 3), dim3(8, 2)>>>(dim3(3, 1, 2), dim3(5, 1));
    cudaDeviceSynchronize();
    queries<<<dim3(4, 2, 3), dim3(8, 2)>>>(dim3(2, 1, 1), dim3(7, 0));
    cudaDeviceSynchronize();
    int bad;
    cudaMemcpyFromSymbol(&bad, wrong, sizeof bad);
    printf("%d wrong\n", bad);
    alone<<<4, 32>>>();
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
