// Volatile accesses that nothing orders: what they are hangs on what becomes of the value.
// revisions: writes atomic_write result_as_data stale stale_call stale_index stale_lanes stale_shared not_repeated plain
#include <stdio.h>

__device__ int buffer[64];

__device__ __noinline__ int twice(int v) { return 2 * v; }

__global__ void k(volatile int *v, int *out) {
    const int t = threadIdx.x;
    const bool first = t == 0 && blockIdx.x == 0, second = t == 0 && blockIdx.x == 1;
    __shared__ volatile int s[64];
    (void)s;
#if defined REV_writes
    if (first) v[0] = 1; //[writes]~ RELATED global-race
    if (second) v[0] = 2; //[writes]~ ERROR global-race
#elif defined REV_atomic_write
    if (first) atomicExch((int *)&v[0], 1); //[atomic_write]~ RELATED global-race
    if (second) v[0] = 2; //[atomic_write]~ ERROR global-race
#elif defined REV_result_as_data
    if (first) out[0] = atomicAdd((int *)&v[0], 1); //[result_as_data]~ RELATED global-race
    if (second) v[0] = 2; //[result_as_data]~ ERROR global-race
#elif defined REV_stale
    if (first) v[0] = 1; //[stale]~ RELATED global-race
    if (second) out[0] = v[0]; //[stale]~ WARNING global-race
#elif defined REV_stale_call
    if (first) v[0] = 1; //[stale_call]~ RELATED global-race
    if (second) out[0] = twice(v[0]); //[stale_call]~ WARNING global-race
#elif defined REV_stale_index
    if (first) v[0] = 1; //[stale_index]~ RELATED global-race
    if (second) buffer[v[0]] = 1; //[stale_index]~ WARNING global-race
#elif defined REV_stale_lanes
    if (blockIdx.x == 0) {
        v[t] = t; //[stale_lanes]~ RELATED global-race
        out[t] = v[t ^ 1]; //[stale_lanes]~ ERROR global-race
    }
#elif defined REV_stale_shared
    s[t] = t; //[stale_shared]~ RELATED shared-race
    if (blockIdx.x == 0) out[t] = s[t ^ 32]; //[stale_shared]~ ERROR shared-race
#elif defined REV_not_repeated
    // The loop goes on to another place: no read is repeated.
    if (blockIdx.x == 0) v[t] = 1; //[not_repeated]~ RELATED global-race
    if (second) {
        int sum = 0;
        for (int i = 0; i < 64; i++) {
            const int x = v[i]; //[not_repeated]~ WARNING global-race
            if (x != 0) sum += x;
        }
        out[0] = sum;
    }
#else
    if (first) v[0] = 1; //[plain]~ RELATED global-race
    if (second && *(int *)v == 0) out[0] = 1; //[plain]~ ERROR global-race
#endif
}

int main() {
    int *v, *out;
    cudaMalloc(&v, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(v, 0, 64 * sizeof(int));
    k<<<2, 64>>>(v, out);
    cudaDeviceSynchronize();
    cudaFree(v);
    cudaFree(out);
    return 0;
}
