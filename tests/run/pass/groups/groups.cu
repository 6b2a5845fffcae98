// Groups of every kind: ranks, sizes, shuffles, votes, partitions, reductions, scans and copies.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>

namespace cg = cooperative_groups;

__device__ int sum_of(cg::thread_group g, int *x, int value) {
    int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        x[lane] = value;
        g.sync();
        if (lane < i) value += x[lane + i];
        g.sync();
    }
    return value;
}

struct Pair { short a; int b; double c; };

__global__ void ranks(int *out) {
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    auto sub = cg::tiled_partition<4>(tile);
    int t = block.thread_rank();
    if (t == 45)
        printf("block %u/%u tile %u/%u of %u,%u sub %u/%u of %u,%u\n", block.thread_rank(), block.size(),
               tile.thread_rank(), tile.size(), tile.meta_group_rank(), tile.meta_group_size(), sub.thread_rank(),
               sub.size(), sub.meta_group_rank(), sub.meta_group_size());
    out[t] = tile.shfl(t, 3) * 1000 + sub.shfl_down(t, 1) * 10 + tile.any(t == 9) + 2 * tile.all(t < 16);
}

__global__ void shuffles(double *out) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int t = tile.thread_rank();
    Pair p = {(short)t, t * t, t * 0.5};
    Pair q = tile.shfl_xor(p, 5);
    out[t] = q.a + q.b + q.c + tile.shfl_up(0.25f * t, 2) + tile.ballot(t % 3 == 0);
}

__global__ void sums(const int *in, int *out) {
    __shared__ int room[64];
    auto block = cg::this_thread_block();
    int all = sum_of(block, room, in[block.thread_rank()]);
    auto tile = cg::tiled_partition(block, 16);
    int part = sum_of(tile, room + 16 * (block.thread_rank() / 16), in[block.thread_rank()]);
    if (block.thread_rank() == 0) out[0] = all;
    if (tile.thread_rank() == 0) out[1 + block.thread_rank() / 16] = part;
    auto warp = cg::tiled_partition<32>(block);
    int r = cg::reduce(warp, in[block.thread_rank()], cg::plus<int>());
    int m = cg::reduce(warp, in[block.thread_rank()], cg::greater<int>());
    int s = cg::inclusive_scan(warp, in[block.thread_rank()]);
    int e = cg::exclusive_scan(warp, in[block.thread_rank()]);
    if (block.thread_rank() == 40) out[5] = r, out[6] = m, out[7] = s, out[8] = e;
}

__global__ void aggregated(int *counter, int *places) {
    int t = threadIdx.x;
    if (t % 3 == 1) {
        cg::coalesced_group active = cg::coalesced_threads();
        int first;
        if (active.thread_rank() == 0) first = atomicAdd(counter, active.size());
        places[t] = active.shfl(first, 0) + active.thread_rank();
        int total = cg::reduce(active, t, cg::plus<int>());
        unsigned late = active.ballot(t > 10);
        if (active.thread_rank() == 2) printf("active %u: sum %d ballot %x\n", active.size(), total, late);
    } else {
        places[t] = -1;
    }
}

__global__ void labels(int *out) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int t = warp.thread_rank();
    auto same = cg::labeled_partition(warp, t % 5);
    auto half = cg::binary_partition(warp, t < 20);
    out[t] = same.size() * 10000 + same.thread_rank() * 100 + half.size() + (half.meta_group_rank() << 20);
}

__global__ void copy(const float *in, float *out) {
    __shared__ float room[64];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, room, in + 64 * blockIdx.x, sizeof room);
    cg::wait(block);
    out[64 * blockIdx.x + block.thread_rank()] = room[63 - block.thread_rank()];
}

__global__ void rounds(int *a, int *b, int n) {
    cg::grid_group grid = cg::this_grid();
    int t = grid.thread_rank();
    for (int i = 0; i < n; i++) {
        b[t] = a[(t + 1) % grid.size()];
        grid.sync();
        a[t] = b[t] + 1;
        grid.sync();
    }
}

template <class T> static unsigned long long hash(const T *p, int n) {
    unsigned long long h = 0;
    for (int i = 0; i < n; i++) h = h * 31 + (long long)p[i];
    return h;
}

int main() {
    int *out;
    double *d;
    cudaMallocManaged(&out, 256 * sizeof(int));
    cudaMallocManaged(&d, 32 * sizeof(double));
    ranks<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", out[0], out[9], out[15], out[63]);
    shuffles<<<1, 32>>>(d);
    cudaDeviceSynchronize();
    printf("%g %g %g\n", d[0], d[7], d[31]);
    int *in;
    cudaMallocManaged(&in, 64 * sizeof(int));
    for (int i = 0; i < 64; i++) in[i] = i * i % 23;
    sums<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 9; i++) printf("%d ", out[i]);
    printf("\n");
    in[0] = 0;
    aggregated<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++) printf("%d ", out[i]);
    printf("| %d\n", in[0]);
    labels<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", out[0], out[19], out[31]);
    float *f, *g;
    cudaMallocManaged(&f, 128 * sizeof(float));
    cudaMallocManaged(&g, 128 * sizeof(float));
    for (int i = 0; i < 128; i++) f[i] = i;
    copy<<<2, 64>>>(f, g);
    cudaDeviceSynchronize();
    printf("%g %g %g\n", g[0], g[64], g[127]);
    int *b;
    cudaMallocManaged(&b, 256 * sizeof(int));
    for (int i = 0; i < 256; i++) out[i] = i;
    int n = 5;
    void *args[] = {&out, &b, &n};
    cudaLaunchCooperativeKernel(rounds, dim3(4), dim3(64), args);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", out[0], out[100], out[255]);
    cudaFree(out); cudaFree(d); cudaFree(in); cudaFree(f); cudaFree(g); cudaFree(b);
}
