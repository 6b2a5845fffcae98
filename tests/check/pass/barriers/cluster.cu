// A barrier of the cluster waits for threads that have not left, wherever they come to one; it orders the threads of a block
// where all of them come. Near misses: tests/check/fail/barriers/cluster.cu.
// flags: --block-dim 64 --grid-dim 4 --verdicts --strict
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// As a barrier of the block.
__global__ void __cluster_dims__(2) reversed(int *out) {
    __shared__ int box[64];
    int t = threadIdx.x;
    box[t] = t;
    cg::this_cluster().sync();
    out[blockIdx.x * 64 + t] = box[63 - t];
}

// Each round has both kinds.
__global__ void __cluster_dims__(2) rounds(int *out, int n) {
    __shared__ int box[64];
    int t = threadIdx.x;
    box[t] = t;
    for (int i = 0; i < n; i++) {
        __syncthreads();
        int next = box[(t + 1) % 64];
        cg::this_cluster().sync();
        box[t] = next;
    }
    out[blockIdx.x * 64 + t] = box[t];
}

// All threads of a block come, or none.
__global__ void __cluster_dims__(2) first_block(int *out) {
    __shared__ int box[64];
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x;
    box[t] = t;
    __syncthreads();
    if (cluster.block_rank() == 0) {
        int next = box[63 - t];
        cluster.sync();
        box[t] = next;
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = box[t];
}

// Who has left is not waited for, and nothing else waits.
__global__ void __cluster_dims__(2) guard(int *out) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x > 40)
        return;
    cg::this_cluster().sync();
    out[i] = i;
}

__global__ void __cluster_dims__(2) as_often_as_each_likes(int *out) {
    for (int i = 0; i < threadIdx.x; i++)
        cg::this_cluster().sync();
    out[blockIdx.x * 64 + threadIdx.x] = 1;
}

// In two places, between the same two barriers of the block.
__global__ void __cluster_dims__(2) two_places(int *out) {
    if (threadIdx.x % 2)
        cg::this_cluster().sync();
    else
        cg::this_cluster().sync();
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = 1;
}
