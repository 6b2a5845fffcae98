// Tiles of more than a warp: they wait for their own threads only, pass values and reduce them.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void kernel(long long* out) {
    __shared__ cg::block_tile_memory<256> scratch;
    __shared__ int box[256];
    auto block = cg::this_thread_block(scratch);
    auto t64 = cg::tiled_partition<64>(block);
    auto t128 = cg::tiled_partition<128>(block);
    auto t32 = cg::tiled_partition<32>(t64);
    int r = block.thread_rank();
    box[r] = r;
    t64.sync();
    int v = box[r ^ 63];
    int sum = cg::reduce(t64, v, cg::plus<int>());
    int most = cg::reduce(t128, v, cg::greater<int>());
    int five = t64.shfl(r, 5);
    int any = t128.any(r == 200), all = t128.all(r >= 128);
    // Tiles go different ways, and as often as each likes.
    for (unsigned i = 0; i <= t64.meta_group_rank(); i++) {
        box[r] = i;
        t64.sync();
        five += box[t64.meta_group_rank() * 64 + (t64.thread_rank() + 33) % 64];
        t64.sync();
    }
    out[r] = sum + most * 10000ll + five * 100000000ll + any * 1000000000000ll + all * 10000000000000ll +
             t64.meta_group_rank() * 100000000000000ll + t32.meta_group_rank() * 1000000000000000ll +
             t64.meta_group_size() * 10000000000000000ll;
}

int main() {
    long long* out;
    cudaMallocManaged(&out, 256 * sizeof *out);
    kernel<<<1, 256>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 256; i += 51)
        printf("%lld\n", out[i]);
    cudaFree(out);
    return 0;
}
