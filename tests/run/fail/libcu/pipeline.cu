// A stage of a block's pipeline is not to be read before consumer_wait, nor filled before producer_acquire; an address
// without the alignment that a copy is promised.
// revisions: good wait acquire align
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

#ifdef REV_acquire
#define STAGES 1
#else
#define STAGES 2
#endif

__global__ void stages(const int* in, int* out, int n) {
    __shared__ int stage[STAGES][65];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    for (int i = 0; i < n; i++) {
#ifndef REV_acquire
        pipe.producer_acquire();
#endif
#ifdef REV_align
        cuda::memcpy_async(block, stage[i % STAGES], in + 64 * i, cuda::aligned_size_t<16>(256), pipe); //[align]~ ERROR misaligned-access
#else
        cuda::memcpy_async(block, stage[i % STAGES], in + 64 * i, 256, pipe); //[wait,acquire]~ RELATED shared-race
#endif
        pipe.producer_commit();
#ifndef REV_wait
        pipe.consumer_wait();
#endif
        out[64 * i + threadIdx.x] = stage[i % STAGES][63 - threadIdx.x]; //[wait,acquire]~ ERROR shared-race
        pipe.consumer_release();
    }
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 2048);
    cudaMalloc(&out, 2048);
    cudaMemset(in, 0, 2048);
    stages<<<1, 64>>>(in, out, 8);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
