// Atomics on sixteen bytes, in global memory and in that of another block of the cluster; one thread of a group.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

struct __align__(16) Pair {
    unsigned long long count, sum;
};

__device__ Pair total;

__device__ void add(Pair *to, unsigned long long value) {
    Pair seen = atomicCAS(to, Pair{0, 0}, Pair{0, 0});
    while (true) {
        Pair next = {seen.count + 1, seen.sum + value}, found = atomicCAS(to, seen, next);
        if (found.count == seen.count && found.sum == seen.sum)
            return;
        seen = found;
    }
}

__global__ void __cluster_dims__(2) k(unsigned long long *out) {
    __shared__ Pair part;
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x;
    cg::invoke_one(cg::this_thread_block(), [&] { part = Pair{0, 0}; });
    cluster.sync();
    add(cluster.map_shared_rank(&part, t % 2), t);
    add(&total, 1);
    cluster.sync();
    if (t == 0) {
        Pair old = atomicExch_block(&part, Pair{7, 8});
        out[2 * blockIdx.x] = old.count;
        out[2 * blockIdx.x + 1] = old.sum + part.count + part.sum;
    }
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
    int all = cg::invoke_one_broadcast(tile, [&] { return t / 32 + 5; });
    if (t == 40 && blockIdx.x == 1)
        printf("of warp 1: %d\n", all);
    unsigned __int128 wide = 5, was;
    __shared__ unsigned __int128 place;
    if (t == 0) {
        place = 1;
        __u128AtomicExch(&place, &wide, &was);
        if (blockIdx.x == 0)
            printf("%d then %d\n", (int)was, (int)place);
    }
    cluster.sync();
}

int main() {
    unsigned long long *out;
    cudaMallocManaged(&out, 4 * sizeof *out);
    k<<<2, 64>>>(out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%llu %llu %llu %llu\n", out[0], out[1], out[2], out[3]);
    Pair sum;
    cudaMemcpyFromSymbol(&sum, total, sizeof sum);
    printf("%llu %llu\n", sum.count, sum.sum);
    cudaFree(out);
}
