// Locks that work in lockstep too: one lane of each warp takes it, or the release stands inside the loop.
// flags: --warp-model lockstep
#include <cstdio>

__device__ int lock;

__global__ void by_leader(int *sum) {
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        __threadfence();
        atomicAdd(sum, 1);
        __threadfence();
        atomicExch(&lock, 0);
    }
    __syncthreads();
}

__global__ void released_inside(int *sum) {
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence();
            atomicAdd(sum, 1);
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }
}

// Lanes that part and meet, a loop whose trip count differs, and a barrier after it.
__global__ void divergent(int *out) {
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < t % 7; i++) x += (i & 1) ? i : 2 * i;
    __shared__ int box[96];
    box[t] = x;
    __syncthreads();
    out[t] = box[95 - t];
}

int main() {
    int *d, h[96];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    by_leader<<<4, 96>>>(d);
    released_inside<<<3, 64>>>(d);
    cudaMemcpy(h, d, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    divergent<<<1, 96>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    int sum = 0;
    for (int i = 0; i < 96; i++) sum += h[i] * (i + 1);
    printf("%d\n", sum);
    cudaFree(d);
    return 0;
}
