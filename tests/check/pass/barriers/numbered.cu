// Barriers with numbers to which as many threads come as they wait for. Near misses: tests/check/fail/barriers/numbered.cu.
// flags: --verdicts --strict
__device__ void sync(int number, int threads) { asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory"); }
__device__ void arrive(int number, int threads) { asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory"); }

// All threads of the block come: the barrier orders what they do, as `__syncthreads()` does.
__global__ void all(int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = out[threadIdx.x];
    asm volatile("bar.sync 1;" ::: "memory");
    out[threadIdx.x] = s[63 - threadIdx.x];
    sync(2, 64);
    s[63 - threadIdx.x] = 3;
}

__global__ void in_a_loop(int *out, const int *n) {
    __shared__ int s[64];
    for (int i = 0; i < *n; i++) {
        s[threadIdx.x] = i;
        sync(3, blockDim.x);
        out[threadIdx.x] += s[63 - threadIdx.x];
        __barrier_sync(3);
    }
}

__global__ void of_any_shape(int *out) {
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
    __barrier_sync(5);
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

// Whole warps come, and as many as are counted.
__global__ void one_warp(int *out) {
    if (threadIdx.x < 32)
        sync(1, 32);
    out[threadIdx.x] = 1;
}

__global__ void two_groups(int *out) {
    for (int i = 0; i < 3; i++)
        sync(1 + threadIdx.x / 64, 64);
    out[threadIdx.x] = 1;
}

// What data decides lies between barriers.
__global__ void data_between(int *out, const int *in) {
    for (int i = 0; i < in[threadIdx.x]; i++)
        out[threadIdx.x] += i;
    if (threadIdx.x >= 64) {
        if (in[threadIdx.x] > 3)
            out[threadIdx.x] = 7;
        sync(4, 64);
    }
}

// Those that fill a buffer arrive, those that read it wait.
__global__ void pipeline(int *out) {
    if (threadIdx.x < 64) {
        for (int i = 0; i < 4; i++) {
            if (i >= 1)
                sync(2, 128);
            arrive(1, 128);
        }
    } else {
        for (int i = 0; i < 4; i++) {
            sync(1, 128);
            if (i < 3)
                arrive(2, 128);
        }
    }
    out[threadIdx.x] = 1;
}

__device__ __noinline__ void helper() { sync(6, 96); }

__global__ void in_a_function(int *out) {
    if (threadIdx.x >= 32)
        helper();
    out[threadIdx.x] = 1;
}

int main() {
    int *p, *q;
    cudaMalloc(&p, 4096);
    cudaMalloc(&q, 4096);
    cudaMemset(p, 0, 4096);
    cudaMemset(q, 0, 4096);
    all<<<1, 64>>>(p);
    in_a_loop<<<1, 64>>>(p, q);
    int threads = 32;
    for (int i = 0; i < 3; i++)
        of_any_shape<<<2, threads, 4 * threads>>>(p), threads *= 2;
    one_warp<<<1, 64>>>(p);
    two_groups<<<1, 128>>>(p);
    data_between<<<1, 128>>>(p, q);
    pipeline<<<1, 128>>>(p);
    in_a_function<<<1, 128>>>(p);
    cudaDeviceSynchronize();
}
