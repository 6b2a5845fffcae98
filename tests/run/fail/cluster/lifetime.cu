// Shared memory of another block of the cluster, which must have started and must not have exited. The near misses
// meet before and after, arrive before the end and wait for it only where that is needed, or use their own memory.
// revisions: early late both pushed fine split own after_exit
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4) k(int *out) {
    __shared__ int box[32];
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x, rank = cluster.block_rank();
    int *next = cluster.map_shared_rank(box, (rank + 1) % 4);
#if defined(REV_own)
    box[t] = t;
    __syncthreads();
    out[blockIdx.x * 32 + t] = box[31 - t];
#elif defined(REV_early)
    next[t] = rank; //[early]~ ERROR use-after-free: before that block is known to have started
    cluster.sync();
    out[blockIdx.x * 32 + t] = box[t];
#elif defined(REV_pushed)
    // Who writes to others must wait until they are done with it no less than who reads.
    cluster.sync();
    next[t] = rank; //[pushed]~ ERROR use-after-free: when that block may have exited
    out[blockIdx.x * 32 + t] = rank;
#else
    box[t] = rank; //[both]~ RELATED shared-race
#ifndef REV_both
    cluster.sync();
#endif
    int v = next[t]; //[late]~ ERROR use-after-free: when that block may have exited
                     //[both]~^ ERROR use-after-free: before that block is known to have started
                     //[both]~^^ ERROR shared-race: nothing orders the two blocks
#if defined(REV_split)
    cluster.barrier_arrive();
    out[blockIdx.x * 32 + t] = v;
    cluster.barrier_wait();
#elif defined(REV_after_exit)
    // Threads that have exited do not keep the others waiting.
    if (t >= 8)
        return;
    out[blockIdx.x * 32 + t] = v;
    cluster.sync();
#else
    out[blockIdx.x * 32 + t] = v;
#ifdef REV_fine
    cluster.sync();
#endif
#endif
#endif
}

int main() {
    int *out;
    cudaMallocManaged(&out, 8 * 32 * sizeof(int));
    k<<<8, 32>>>(out);
    if (cudaDeviceSynchronize() == cudaSuccess)
        printf("%d\n", out[3 * 32 + 1]);
    cudaFree(out);
}
