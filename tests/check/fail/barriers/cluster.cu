// Threads that wait for their cluster while others of their block wait for the block; and what no barrier of a cluster
// orders. A run of each that is an error ends in a deadlock, or shows the race.
// flags: --block-dim 64 --grid-dim 4 --verdicts
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) half(int *out) {
    if (threadIdx.x < 32) {
        cg::this_cluster().sync(); //~ ERROR barrier-divergence: wait for their cluster while others wait for the block
        return;
    }
    __syncthreads(); //~ WARNING barrier-divergence: may diverge before this barrier
    out[blockIdx.x * 64 + threadIdx.x] = 1;
}

// The barrier of the block is met by all; before it the one of the cluster is not.
__global__ void __cluster_dims__(2) one_more(int *out) {
    __shared__ int box[64];
    int t = threadIdx.x;
    box[t] = t;
    if (t % 2)
        cg::this_cluster().sync(); //~ ERROR barrier-divergence: wait for their cluster while others wait for the block
    __syncthreads();
    out[blockIdx.x * 64 + t] = box[63 - t];
}

__global__ void __cluster_dims__(2) other_rounds(int *out) {
    for (int i = 0; i < 2 + threadIdx.x / 32; i++)
        cg::this_cluster().sync(); //~ ERROR barrier-divergence: wait for their cluster while others wait for the block
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = 1;
}

__global__ void __cluster_dims__(2) by_data(int *out, const int *in) {
    if (in[threadIdx.x] > 0)
        cg::this_cluster().sync(); //~ WARNING barrier-divergence: may diverge before this barrier
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = 1;
}

// Not all threads of the block come: it orders nothing.
__global__ void __cluster_dims__(2) lanes(int *out) {
    __shared__ int box[64];
    int t = threadIdx.x;
    box[t] = t;
    if (t != 5)
        cg::this_cluster().sync();
    out[blockIdx.x * 64 + t] = box[63 - t]; //~ WARNING shared-race
}

// Threads in two places come to the third one in other phases.
__global__ void __cluster_dims__(2) shifted(int *out) {
    __shared__ int box[64];
    int t = threadIdx.x;
    if (t % 2)
        cg::this_cluster().sync();
    box[t] = t;
    cg::this_cluster().sync();
    out[blockIdx.x * 64 + t] = box[63 - t]; //~ WARNING shared-race
}

// The arrival releases nothing.
__global__ void __cluster_dims__(2) relaxed(int *out) {
    __shared__ int box[64];
    int t = threadIdx.x;
    box[t] = t;
    __cluster_barrier_arrive_relaxed();
    __cluster_barrier_wait();
    out[blockIdx.x * 64 + t] = box[63 - t]; //~ WARNING shared-race
}

// Between blocks nothing is said.
__global__ void __cluster_dims__(2) neighbours(int *out) {
    int i = blockIdx.x * 64 + threadIdx.x;
    int next = out[i + 64]; //~ RELATED global-race
    cg::this_cluster().sync();
    out[i] = next; //~ WARNING global-race
}

// Before the first barrier threads meet as ever.
__global__ void __cluster_dims__(2) before(int *out) {
    __shared__ int box[64];
    int t = threadIdx.x;
    box[t] = t;
    out[blockIdx.x * 64 + t] = box[63 - t]; //~ ERROR shared-race
    cg::this_cluster().sync();
}

// What is between the halves is not followed, nor is the memory of other blocks.
__global__ void __cluster_dims__(2) halves(int *out) {
    cg::cluster_group cluster = cg::this_cluster();
    cluster.barrier_arrive();
    out[blockIdx.x * 64 + threadIdx.x] = 1;
    cluster.barrier_wait();
}

__global__ void __cluster_dims__(2) theirs(int *out) {
    __shared__ int box[64];
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x;
    cluster.sync();
    cluster.map_shared_rank(box, cluster.block_rank() ^ 1)[t] = t; //~ WARNING shared-race //~ WARNING global-race //~ WARNING shared-race //~ WARNING global-race
    cluster.sync();
    out[blockIdx.x * 64 + t] = box[63 - t]; //~ WARNING shared-race //~ WARNING global-race
}
