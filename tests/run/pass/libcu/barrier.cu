// cuda::barrier in shared and in global memory: arrival apart from waiting, completion, threads that drop out, copies
// that a barrier waits for, and the rounds of one that is used again.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cstdio>

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void rotate(const int* in, int* out) {
    __shared__ alignas(16) int tile[128];
    __shared__ barrier bar;
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0)
        init(&bar, block.size());
    block.sync();
    int sum = 0;
    for (int round = 0; round < 4; round++) {
        cuda::memcpy_async(block, tile, in + 128 * round, cuda::aligned_size_t<16>(sizeof tile), bar);
        bar.arrive_and_wait();
        sum += tile[127 - threadIdx.x];
        barrier::arrival_token token = bar.arrive();
        sum *= 2;
        bar.wait(cuda::std::move(token));
    }
    out[threadIdx.x] = sum;
}

__global__ void dropping(int* out) {
    __shared__ int steps[64];
    __shared__ barrier bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    int mine = 0;
    for (int round = 0; round < 4; round++) {
        steps[threadIdx.x] = round * 100 + threadIdx.x;
        bar.arrive_and_wait();
        mine += steps[threadIdx.x % 16];
        if (threadIdx.x >= 16 * (4 - round)) {
            bar.arrive_and_drop();
            break;
        }
        bar.arrive_and_wait();
    }
    out[threadIdx.x] = mine;
}

struct Count {
    int* total;
    __device__ void operator()() const { *total += 1; }
};
__global__ void completion(int* total) {
    __shared__ alignas(16) unsigned char memory[sizeof(cuda::barrier<cuda::thread_scope_block, Count>)];
    auto* bar = reinterpret_cast<cuda::barrier<cuda::thread_scope_block, Count>*>(memory);
    if (threadIdx.x == 0)
        init(bar, blockDim.x, Count{total});
    __syncthreads();
    for (int round = 0; round < 5; round++)
        bar->arrive_and_wait();
    // What the completion wrote is seen by all who waited.
    if (*total != 5)
        printf("%d\n", *total);
}

__device__ cuda::barrier<cuda::thread_scope_device> wide;
__device__ int parts[4];
__global__ void start() { init(&wide, 4); }
__global__ void grid(int* out) {
    if (threadIdx.x != 0)
        return;
    parts[blockIdx.x] = blockIdx.x * blockIdx.x;
    wide.arrive_and_wait();
    out[blockIdx.x] = parts[0] + parts[1] + parts[2] + parts[3];
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 512 * sizeof(int));
    cudaMallocManaged(&out, 128 * sizeof(int));
    for (int i = 0; i < 512; i++)
        in[i] = i;
    rotate<<<1, 128>>>(in, out);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", out[0], out[1], out[127]);
    dropping<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", out[0], out[17], out[33], out[63]);
    out[0] = 0;
    completion<<<1, 96>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", out[0]);
    start<<<1, 1>>>();
    grid<<<4, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[0], out[3]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
