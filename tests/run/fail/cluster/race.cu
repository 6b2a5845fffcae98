// Blocks of a cluster that use each other's shared memory, ordered by the cluster's barrier or not.
// revisions: unordered relaxed between block_only narrow fine fenced halves atomics own_barrier counted
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) k(int *out) {
    __shared__ int box[64], counter;
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x, rank = cluster.block_rank();
    int *other = cluster.map_shared_rank(box, rank ^ 1);
    if (t == 0)
        counter = 0;
    box[t] = 0;
    cluster.sync();
#if defined(REV_unordered)
    other[t] = rank;           //[unordered]~ RELATED shared-race
    __syncthreads();
    out[blockIdx.x * 64 + t] = box[63 - t]; //[unordered]~ ERROR shared-race: nothing orders the two blocks
#elif defined(REV_relaxed)
    other[t] = rank + 10;      //[relaxed]~ RELATED shared-race
    __cluster_barrier_arrive_relaxed(); //[relaxed]~ RELATED shared-race
    __cluster_barrier_wait();  //[relaxed]~ RELATED shared-race
    out[blockIdx.x * 64 + t] = box[63 - t]; //[relaxed]~ ERROR shared-race
#elif defined(REV_between)
    // What comes between the halves is ordered with nothing of the others.
    cluster.barrier_arrive();
    other[t] = rank;           //[between]~ RELATED shared-race
    cluster.barrier_wait();
    out[blockIdx.x * 64 + t] = box[63 - t]; //[between]~ ERROR shared-race: nothing orders the two blocks
#elif defined(REV_block_only)
    box[t] = rank;             //[block_only]~ RELATED shared-race
    __syncthreads();
    out[blockIdx.x * 64 + t] = other[63 - t]; //[block_only]~ ERROR shared-race: nothing orders the two blocks
#elif defined(REV_narrow)
    // The scope of an atomic that another block must see holds the cluster at least.
    atomicAdd_block(cluster.map_shared_rank(&counter, 0), 1); //[narrow]~ ERROR shared-race
#elif defined(REV_fine)
    other[t] = rank;
    cluster.sync();
    out[blockIdx.x * 64 + t] = box[63 - t];
#elif defined(REV_fenced)
    // A fence does what a release would.
    other[t] = rank;
    __threadfence();
    __cluster_barrier_arrive_relaxed();
    __cluster_barrier_wait();
    out[blockIdx.x * 64 + t] = box[63 - t];
#elif defined(REV_halves)
    other[t] = rank;
    cluster.barrier_arrive();
    int v = rank;
    cluster.barrier_wait();
    out[blockIdx.x * 64 + t] = box[63 - t] + v;
#elif defined(REV_atomics)
    atomicAdd(cluster.map_shared_rank(&counter, 0), 1);
    cluster.sync();
    out[blockIdx.x * 64 + t] = *cluster.map_shared_rank(&counter, 0);
#elif defined(REV_own_barrier)
    // The cluster's barrier is one of the block too.
    box[t] = t;
    cluster.sync();
    out[blockIdx.x * 64 + t] = box[63 - t];
#elif defined(REV_counted)
    // Release and acquire order blocks as they do elsewhere.
    if (rank == 0) {
        other[t] = 5;
        __threadfence();
        atomicAdd(cluster.map_shared_rank(&counter, 1), 1);
    } else {
        while (atomicAdd(&counter, 0) < 64)
            ;
        __threadfence();
        out[blockIdx.x * 64 + t] = box[63 - t];
    }
#endif
    cluster.sync();
}

int main() {
    int *out;
    cudaMallocManaged(&out, 4 * 64 * sizeof(int));
    memset(out, 0, 4 * 64 * sizeof(int));
    k<<<4, 64>>>(out);
    cudaError_t end = cudaDeviceSynchronize();
    printf("%s %d %d\n", cudaGetErrorName(end), out[0], out[3 * 64 + 1]);
    cudaFree(out);
}
