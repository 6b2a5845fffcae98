// A message by cuda::atomic needs a release and an acquire at a scope that reaches both: relaxed operations, and a
// block's scope between blocks, order nothing.
// revisions: good relaxed block
#include <cuda/atomic>

#ifdef REV_block
__device__ cuda::atomic<int, cuda::thread_scope_block> flag;
#else
__device__ cuda::atomic<int, cuda::thread_scope_device> flag;
#endif
#ifdef REV_relaxed
#define RELEASE cuda::memory_order_relaxed
#define ACQUIRE cuda::memory_order_relaxed
#else
#define RELEASE cuda::memory_order_release
#define ACQUIRE cuda::memory_order_acquire
#endif
__device__ int payload;

__global__ void pass(int* out) {
    if (blockIdx.x == 0) {
        payload = 42; //[relaxed,block]~ RELATED global-race
        flag.store(1, RELEASE); //[block]~ RELATED global-race
    } else {
        while (flag.load(ACQUIRE) == 0) { //[block]~ ERROR global-race
        }
        *out = payload; //[relaxed,block]~ ERROR global-race
    }
}

int main() {
    int* out;
    cudaMalloc(&out, sizeof(int));
    pass<<<2, 1>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
