// A cuda::barrier that is arrived at, but not waited for, orders nothing; one that expects more threads than come never
// opens; copies are seen after the wait.
// revisions: good arrive more copy
#include <cooperative_groups.h>
#include <cuda/barrier>

namespace cg = cooperative_groups;

__global__ void shift(const int* in, int* out) {
    __shared__ int tile[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    auto block = cg::this_thread_block();
    if (threadIdx.x == 0)
#ifdef REV_more
        init(&bar, 65);
#else
        init(&bar, 64);
#endif
    block.sync();
    cuda::memcpy_async(block, tile, in, sizeof tile, bar); //[arrive,copy]~ RELATED shared-race
#ifdef REV_arrive
    auto token = bar.arrive();
    out[threadIdx.x] = tile[63 - threadIdx.x]; //[arrive]~ ERROR shared-race
    bar.wait(std::move(token));
#elif defined(REV_copy)
    out[threadIdx.x] = tile[63 - threadIdx.x]; //[copy]~ ERROR shared-race
    bar.arrive_and_wait();
#else
    bar.arrive_and_wait(); //[more]~ ERROR deadlock
    out[threadIdx.x] = tile[63 - threadIdx.x];
#endif
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 256);
    cudaMalloc(&out, 256);
    cudaMemset(in, 0, 256);
    shift<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
