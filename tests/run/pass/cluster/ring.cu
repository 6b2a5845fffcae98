// Values that go round the blocks of a cluster, a phase of its barrier for each step, in clusters that span two
// dimensions; and threads that work between arriving and waiting.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 2) ring(int *out, int rounds) {
    __shared__ int box[2][48];
    __shared__ int scratch[48];
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x, rank = cluster.block_rank(), blocks = cluster.num_blocks();
    int sum = 0, current = rank + 10 * t;
    cluster.sync();
    for (int i = 0; i < rounds; i++) {
        *cluster.map_shared_rank(&box[i % 2][t], (rank + 1) % blocks) = current;
        cg::cluster_group::arrival_token token = cluster.barrier_arrive();
        // The block's own work needs no other block.
        scratch[t] = sum;
        __syncthreads();
        int neighbour = scratch[(t + 1) % 48];
        __syncthreads();
        cluster.barrier_wait(static_cast<cg::cluster_group::arrival_token &&>(token));
        current = box[i % 2][t];
        sum += current + neighbour % 2;
    }
    // With two boxes in turn one barrier a step is enough; the last keeps everybody here.
    cluster.sync();
    out[(blockIdx.y * gridDim.x + blockIdx.x) * 48 + t] = sum;
}

int main() {
    int *out;
    cudaMallocManaged(&out, 8 * 48 * sizeof(int));
    ring<<<dim3(4, 2), 48>>>(out, 8);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int b = 0; b < 8; b++)
        printf("%d: %d %d %d\n", b, out[48 * b], out[48 * b + 1], out[48 * b + 47]);
    cudaFree(out);
}
