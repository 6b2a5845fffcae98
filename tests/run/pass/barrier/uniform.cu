// Barriers that all threads of a block reach, though not every block does, or not at one place in the source.
#include <cstdio>

__device__ int meet(int x) {
    __syncthreads();
    return x + 1;
}

__device__ int also(int x) {
    __syncthreads();
    return x + 2;
}

__global__ void branches(const int *how, int *out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    // The same for all threads of a block, from memory.
    int mode = how[blockIdx.x];
    if (mode == 0) {
        __syncthreads();
    } else if (mode == 1) {
        __syncthreads();
        int other = s[63 - t];
        __syncthreads();
        s[t] = other * 0 + t;
        __syncthreads();
    }
    int v = mode == 2 ? meet(t) : also(t);
    out[64 * blockIdx.x + t] = mode < 2 ? s[63 - t] + v : v;
}

__global__ void loops(int *out, int n) {
    __shared__ int s[96];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < n; i++) {
        s[t] = i * t;
        __syncthreads();
        // Lanes leave this loop one after the other, and meet before the next barrier.
        for (int j = 0; j <= t % 7; j++) sum += s[(t + j) % 96];
        __syncthreads();
        if (sum < 0) sum = 0;
    }
    out[t] = sum;
}

__global__ void pointers(int *out) {
    int (*f)(int) = blockIdx.x ? meet : also;
    out[blockIdx.x * 40 + threadIdx.x] = f(threadIdx.x);
}

__global__ void votes(int *out) {
    int t = threadIdx.x;
    int n = __syncthreads_count(t % 3 == 0);
    // What a barrier gives is the same for all: it may decide on the next one.
    if (n > 10) n += __syncthreads_or(t == 5);
    if (__syncthreads_and(t < 64)) n += 100;
    out[t] = n;
}

__global__ void at_the_end(int *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ int s[32];
    s[threadIdx.x] = t < n ? t : -1;
    __syncthreads();
    // Behind the last barrier threads may go as they like.
    if (t >= n) return;
    out[t] = s[(threadIdx.x + 1) % 32];
}

int main() {
    int *out, *how;
    cudaMallocManaged(&out, 256 * sizeof(int));
    cudaMallocManaged(&how, 3 * sizeof(int));
    for (int i = 0; i < 3; i++) how[i] = i;
    branches<<<3, 64>>>(how, out);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", out[1], out[64 + 1], out[128 + 1]);
    loops<<<1, 96>>>(out, 5);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[6], out[95]);
    pointers<<<2, 40>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[3], out[43]);
    votes<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", out[63]);
    at_the_end<<<2, 32>>>(out, 50);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[31], out[49]);
    cudaFree(out);
    cudaFree(how);
}
