// Volatile accesses that nothing orders, and whose values decide, or are repeated until they are good.
#include <stdio.h>

__device__ int serving = 0, next_ticket = 0, taken = 0, guarded = 0, also_guarded = 0;
__device__ volatile int stop = 0, flag = 0, message = 0;
__device__ int largest = 0, tests = 0, arrived = 0;
__device__ volatile int partial[8];

__global__ void ticket_lock() {
    if (threadIdx.x != 0) return;
    const int mine = atomicAdd(&next_ticket, 1);
    while (*(volatile int *)&serving != mine) {
    }
    __threadfence();
    guarded += 1;
    __threadfence();
    *(volatile int *)&serving = mine + 1;
}

__global__ void test_and_set() {
    if (threadIdx.x != 0) return;
    while (atomicExch(&taken, 1) != 0) {
    }
    __threadfence();
    also_guarded += 1;
    __threadfence();
    *(volatile int *)&taken = 0;
}

__global__ void polls() {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        message = 42;
        __threadfence();
        flag = 1;
    }
    if (blockIdx.x == 1) {
        while (flag == 0) {
        }
        __threadfence();
        if (threadIdx.x == 0) tests = message;
    }
}

__global__ void running_maximum(const int *in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // A test before the atomic operation spares most of them.
    if (i < n && in[i] > *(volatile int *)&largest) atomicMax(&largest, in[i]);
}

__global__ void stop_flag(int *rounds) {
    if (blockIdx.x == 0 && threadIdx.x == 0) stop = 1;
    int n = 0;
    while (stop == 0) n++;
    if (n < 0) rounds[0] = n;
}

// The sum and whether it is there, in one word that is never torn.
__global__ void packed(volatile unsigned long long *status, int *out) {
    const int b = blockIdx.x;
    if (threadIdx.x != 0) return;
    int sum = b + 1;
    if (b > 0) {
        unsigned long long s;
        do {
            s = status[b - 1];
        } while ((s >> 32) == 0);
        sum += (int)s;
    }
    status[b] = 1ull << 32 | (unsigned)sum;
    out[b] = sum;
}

// Each block goes back over the others until one knows the sum of all before it.
__global__ void one_by_one(volatile unsigned long long *status, int *out) {
    const int b = blockIdx.x;
    if (threadIdx.x != 0) return;
    status[b] = 1ull << 32 | (unsigned)(b + 1);
    int sum = 0, i = b - 1;
    while (i >= 0) {
        const unsigned long long s = status[i];
        if ((s >> 32) == 0) continue;
        sum += (int)s;
        if ((s >> 32) == 2) break;
        i--;
    }
    status[b] = 2ull << 32 | (unsigned)(sum + b + 1);
    out[b] = sum + b + 1;
}

// The same, a warp at a time.
__global__ void window(volatile unsigned long long *status, int *out) {
    const int b = blockIdx.x, lane = threadIdx.x;
    if (lane == 0) status[b] = 1ull << 32 | (unsigned)(b + 1);
    __syncwarp();
    unsigned long long s;
    const int i = b - 1 - lane;
    do {
        s = i >= 0 ? status[i] : 1ull << 32;
    } while (__any_sync(0xffffffffu, (s >> 32) == 0));
    int sum = (int)s;
    for (int k = 16; k > 0; k /= 2) sum += __shfl_down_sync(0xffffffffu, sum, k);
    if (lane == 0) out[b] = sum + b + 1;
}

__global__ void last_block(int *out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = (int)blockIdx.x + 1;
        __threadfence();
        last = atomicAdd(&arrived, 1) == (int)gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        __threadfence();
        int sum = 0;
        for (int b = 0; b < (int)gridDim.x; b++) sum += partial[b];
        out[0] = sum;
    }
}

int main() {
    int *in, *out;
    unsigned long long *status;
    cudaMallocManaged(&in, 256 * sizeof(int));
    cudaMallocManaged(&out, 8 * sizeof(int));
    cudaMalloc(&status, 8 * sizeof *status);
    for (int i = 0; i < 256; i++) in[i] = i * 37 % 251;
    ticket_lock<<<4, 32>>>();
    test_and_set<<<4, 32>>>();
    polls<<<2, 32>>>();
    running_maximum<<<4, 64>>>(in, 256);
    stop_flag<<<2, 32>>>(out);
    int a, b, c, d;
    cudaMemcpyFromSymbol(&a, guarded, sizeof a);
    cudaMemcpyFromSymbol(&b, also_guarded, sizeof b);
    cudaMemcpyFromSymbol(&c, tests, sizeof c);
    cudaMemcpyFromSymbol(&d, largest, sizeof d);
    printf("%d %d %d %d\n", a, b, c, d);
    for (int way = 0; way < 3; way++) {
        cudaMemset(status, 0, 8 * sizeof *status);
        if (way == 0) packed<<<8, 32>>>(status, out);
        else if (way == 1) one_by_one<<<8, 32>>>(status, out);
        else window<<<8, 32>>>(status, out);
        cudaDeviceSynchronize();
        printf("%d %d\n", out[0], out[7]);
    }
    last_block<<<8, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", out[0]);
    cudaFree(in);
    cudaFree(out);
    cudaFree(status);
    return 0;
}
