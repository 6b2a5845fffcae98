// Threads of a block may be at different barriers of their cluster: only the block's own must be met by all.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) apart(int *out) {
    __shared__ int box[64];
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x;
    box[t] = t;
    if (t % 2) {
        cluster.sync();
    } else {
        cluster.barrier_arrive();
        out[blockIdx.x * 64 + t] = 1;
        cluster.barrier_wait();
    }
    // All blocks of a launch agree in its shape.
    if (cluster.num_blocks() == 2)
        __syncthreads();
    if (cluster.block_rank() == 1)
        __syncthreads();
    out[blockIdx.x * 64 + t] = cluster.map_shared_rank(box, 0)[63 - t];
    cluster.sync();
}

int main() {
    int *out;
    cudaMalloc(&out, 128 * sizeof(int));
    apart<<<2, 64>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
