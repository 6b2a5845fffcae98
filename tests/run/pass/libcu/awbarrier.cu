// Arrive-wait barriers of nvcuda::experimental and in C's style, with the older pipeline.
#include <cstdio>
#include <cuda_awbarrier.h>
#include <cuda_pipeline.h>

using nvcuda::experimental::awbarrier;

// Two halves that hand a buffer to each other, phase after phase.
__global__ void halves(int* out, const int* in, int rounds) {
    __shared__ awbarrier filled, emptied;
    __shared__ int buffer[64];
    if (threadIdx.x == 0) {
        init(&filled, 128);
        init(&emptied, 128);
    }
    __syncthreads();
    int t = threadIdx.x % 64, sum = 0;
    for (int i = 0; i < rounds; i++) {
        if (threadIdx.x < 64) {
            __pipeline_memcpy_async(&buffer[t], &in[i * 64 + t], sizeof(int));
            __pipeline_commit();
            __pipeline_wait_prior(0);
            filled.arrive();
            emptied.arrive_and_wait();
        } else {
            filled.arrive_and_wait();
            sum += buffer[63 - t];
            awbarrier::arrival_token token = emptied.arrive();
            while (!emptied.try_wait(token, 100)) {
            }
        }
    }
    if (threadIdx.x >= 64)
        out[t] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        inval(&filled);
        inval(&emptied);
    }
}

// Half of the warps leave after the first phase; the others go on by parity.
__global__ void leavers(int* out) {
    __shared__ __mbarrier_t barrier;
    __shared__ int words[128];
    if (threadIdx.x == 0)
        __mbarrier_init(&barrier, blockDim.x);
    __syncthreads();
    words[threadIdx.x] = threadIdx.x;
    if (threadIdx.x >= 64) {
        __mbarrier_arrive_and_drop(&barrier);
        return;
    }
    __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    if (threadIdx.x == 0)
        out[64] = __mbarrier_token_pending_count(token) <= 128;
    while (!__mbarrier_test_wait(&barrier, token)) {
    }
    int sum = words[127 - threadIdx.x];
    int phase = 1;
    for (int round = 0; round < 3; round++) {
        words[threadIdx.x] = sum + round;
        __mbarrier_arrive(&barrier);
        while (!__mbarrier_try_wait_parity(&barrier, phase % 2, 50)) {
        }
        phase++;
        sum = words[63 - threadIdx.x];
        __mbarrier_arrive(&barrier);
        while (!__mbarrier_test_wait_parity(&barrier, phase % 2)) {
        }
        phase++;
    }
    out[threadIdx.x] = sum;
}

// A copy that a barrier counts, and waits with a limit.
__global__ void copies(int* out, const int* in) {
    __shared__ awbarrier barrier;
    __shared__ int tile[32];
    if (threadIdx.x == 0)
        init(&barrier, 32);
    __syncwarp();
    nvcuda::experimental::pipeline pipe;
    memcpy_async(tile[threadIdx.x], in[threadIdx.x], pipe);
    pipe.arrive_on(barrier);
    awbarrier::arrival_token token = barrier.arrive();
    while (!barrier.timed_wait(token, 1000)) {
    }
    out[threadIdx.x] = tile[31 - threadIdx.x];
    bool early = barrier.timed_wait_parity(false, 10), late = barrier.timed_wait_parity(true, 10);
    if (threadIdx.x == 0)
        printf("%d %d %u %u\n", early, late, awbarrier::max(), __mbarrier_maximum_count());
}

__global__ void primitives(int* out, const int* in) {
    __shared__ __mbarrier_t barrier;
    __shared__ int tile[32];
    if (threadIdx.x == 0)
        __mbarrier_init(&barrier, 32);
    __syncwarp();
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));
    __pipeline_arrive_on(&barrier);
    __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_try_wait(&barrier, token, 20)) {
    }
    out[threadIdx.x] = tile[(threadIdx.x + 1) % 32];
    __syncwarp();
    if (threadIdx.x == 0)
        __mbarrier_inval(&barrier);
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 8 * 64 * sizeof *in);
    cudaMallocManaged(&out, 65 * sizeof *out);
    for (int i = 0; i < 8 * 64; i++)
        in[i] = i;
    halves<<<1, 128>>>(out, in, 8);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", out[0], out[1], out[63]);
    leavers<<<1, 128>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d, %d\n", out[0], out[1], out[63], out[64]);
    copies<<<1, 32>>>(out, in);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[0], out[31]);
    primitives<<<1, 32>>>(out, in);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[0], out[31]);
    cudaFree(in);
    cudaFree(out);
}
