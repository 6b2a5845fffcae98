// cg::synchronize, the older name of cg::sync, of every kind of group.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void kernel(int *out) {
    __shared__ int room[64];
    cg::thread_block block = cg::this_thread_block();
    int t = block.thread_rank();
    room[t] = t;
    cg::synchronize(block);
    int other = room[63 - t];
    cg::synchronize(block);
    auto tile = cg::tiled_partition<8>(block);
    room[t] = other;
    cg::synchronize(tile);
    other = room[t ^ 7];
    cg::synchronize(cg::coalesced_threads());
    out[t] = other;
}

int main() {
    int *d, h[64];
    cudaMalloc(&d, sizeof h);
    kernel<<<1, 64>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", h[0], h[7], h[63]);
    cudaFree(d);
}
