// Barriers with numbers: warps that produce and warps that consume, through two buffers; barriers of a part of the block
// that others are not at; the same number for one group after the other.
#include <cstdio>

__device__ void sync(int number, int threads) { asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory"); }
__device__ void arrive(int number, int threads) { asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory"); }

// Threads 0-63 fill buffers, threads 64-127 add them up: 1 and 2 say that a buffer is full, 3 and 4 that it is empty.
__global__ void pipeline(int* out, int rounds) {
    __shared__ int buffer[2][64];
    int t = threadIdx.x % 64, sum = 0;
    if (threadIdx.x < 64) {
        for (int i = 0; i < rounds; i++) {
            int b = i % 2;
            if (i >= 2)
                sync(3 + b, 128);
            buffer[b][t] = i * 64 + t;
            arrive(1 + b, 128);
        }
    } else {
        for (int i = 0; i < rounds; i++) {
            int b = i % 2;
            sync(1 + b, 128);
            sum += buffer[b][63 - t];
            if (i + 2 < rounds)
                arrive(3 + b, 128);
        }
        out[t] = sum;
    }
}

// Each warp group has a barrier of its own; at the end all meet.
__global__ void groups(int* out) {
    __shared__ int words[4], total;
    int group = threadIdx.x / 64, t = threadIdx.x % 64;
    if (t == 0)
        words[group] = 10 * group;
    __barrier_sync_count(1 + group, 64);
    for (int step = 0; step < group + 2; step++) {
        if (t == step)
            words[group] += step;
        asm volatile("barrier.sync %0, 64;" ::"r"(1 + group) : "memory");
    }
    if (threadIdx.x == 0)
        total = 0;
    __barrier_sync(7);
    if (t == 5)
        atomicAdd(&total, words[group]);
    __barrier_sync(0);
    out[threadIdx.x] = total * 100 + words[group];
}

// One number, used by 64 threads, then by all.
__global__ void again(int* out) {
    __shared__ int word;
    if (threadIdx.x < 64) {
        if (threadIdx.x == 40)
            word = 5;
        asm volatile("barrier.cta.sync 9, 64;" ::: "memory");
        out[threadIdx.x] = word;
    }
    __syncthreads();
    if (threadIdx.x == 100)
        word = 6;
    asm volatile("bar.sync 9;" ::: "memory");
    out[threadIdx.x + 128] = word;
}

int main() {
    int* out;
    cudaMallocManaged(&out, 256 * sizeof *out);
    pipeline<<<1, 128>>>(out, 9);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", out[0], out[1], out[63]);
    groups<<<1, 256>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", out[0], out[64], out[128], out[255]);
    again<<<1, 128>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", out[0], out[128], out[255]);
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, pipeline);
    printf("%zu bytes of shared memory\n", attributes.sharedSizeBytes);
    cudaFree(out);
}
