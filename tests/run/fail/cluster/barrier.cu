// The cluster's barrier used wrongly: arriving twice, waiting for nothing, waiting for threads that never come. The
// near misses arrive and wait in different places, one thread after the other, or leave before.
// revisions: twice unarrived stuck apart loop exited lone
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

#ifdef REV_lone
#define DIMS
#else
#define DIMS __cluster_dims__(2)
#endif

__global__ void DIMS k(int *out) {
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x, rank = cluster.block_rank();
    __shared__ int box;
    if (t == 0)
        box = rank;
#if defined(REV_twice)
    cluster.barrier_arrive();
    if (t >= 32)
        cluster.barrier_arrive(); //[twice]~ ERROR undefined-behavior: a second time without having waited
    cluster.barrier_wait();
#elif defined(REV_unarrived)
    if (t != 3)
        cluster.barrier_arrive();
    cluster.barrier_wait(); //[unarrived]~ ERROR undefined-behavior: has not arrived at it
#elif defined(REV_stuck)
    if (rank == 0)
        cluster.sync();     //[stuck]~ RELATED deadlock
    else if (t < 32)
        __syncthreads();    //[stuck]~ ERROR deadlock
    else
        cluster.sync();     //[stuck]~ RELATED deadlock
#elif defined(REV_apart)
    if (t % 2) {
        cluster.sync();
    } else {
        auto token = cluster.barrier_arrive();
        out[blockIdx.x * 64 + t] = rank;
        cluster.barrier_wait(static_cast<decltype(token) &&>(token));
    }
#elif defined(REV_loop)
    for (int i = 0; i < 3 + t - t; i++)
        cluster.sync();
#elif defined(REV_exited)
    if (rank == 1 || t > 40)
        return;
    cluster.sync();
    out[blockIdx.x * 64 + t] = 1;
#elif defined(REV_lone)
    // Without clusters each block is one of its own.
    cluster.sync();
    if (t == 40)
        out[blockIdx.x] = box + 7 + cluster.num_blocks() + 10 * cluster.block_rank();
#endif
}

int main() {
    int *out;
    cudaMallocManaged(&out, 256 * sizeof(int));
    out[0] = out[1] = 0;
    k<<<2, 64>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s %d %d\n", cudaGetErrorName(error), out[0], out[1]);
    cudaFree(out);
}
