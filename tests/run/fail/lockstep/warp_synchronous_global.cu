// The reduction of old in global memory: what lanes of one warp do there is judged as in shared memory.
// revisions: its lockstep plain synced
//[lockstep] flags: --warp-model lockstep
//[plain] flags: --warp-model lockstep
#include <cstdio>

#ifdef REV_plain
typedef int cell; // Without volatile a compiler may keep values in registers: no order at all.
#else
typedef volatile int cell;
#endif

__global__ void sum(int *box, int *out) {
    int t = threadIdx.x;
    box[t] = t;
    __syncthreads();
    if (t < 4) {
        cell *s = box;
        s[t] += s[t + 4];
#ifdef REV_synced
        __syncwarp(0xf);
        const int other = s[t + 2];
        __syncwarp(0xf);
        s[t] += other;
#else
        // Its read races with its write, and with the one before.
        s[t] += s[t + 2]; //[its,plain]~ ERROR global-race //[its,plain]~ ERROR global-race
#endif
    }
    if (t == 0) *out = box[0];
}

int main() {
    int *box, *out, sum_is = 0;
    cudaMalloc(&box, 8 * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    sum<<<1, 8>>>(box, out);
    cudaMemcpy(&sum_is, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", sum_is);
    cudaFree(box);
    cudaFree(out);
    return 0;
}
