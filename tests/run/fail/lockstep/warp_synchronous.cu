// The reduction of old: within a warp it relies on volatile accesses and lockstep alone. That holds where the lanes
// of a warp advance together, and is a race where each makes progress of its own.
// revisions: its lockstep plain
//[lockstep] flags: --warp-model lockstep
//[plain] flags: --warp-model lockstep
#include <cstdio>

#ifdef REV_plain
typedef int cell; // Without volatile a compiler may keep values in registers: no order at all.
#else
typedef volatile int cell;
#endif

__global__ void sum(int *out) {
    __shared__ int box[8];
    int t = threadIdx.x;
    box[t] = t;
    __syncthreads();
    if (t < 4) {
        cell *s = box;
        s[t] += s[t + 4];
        // Its read races with its write, and with the one before.
        s[t] += s[t + 2]; //[its,plain]~ ERROR shared-race //[its,plain]~ ERROR shared-race
    }
    if (t == 0) *out = box[0];
}

int main() {
    int *out, sum_is = 0;
    cudaMalloc(&out, sizeof(int));
    sum<<<1, 8>>>(out);
    cudaMemcpy(&sum_is, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", sum_is);
    cudaFree(out);
    return 0;
}
