// Two warps pass data on through shared memory: a fence of the block's scope on either side suffices.
// revisions: both release acquire neither
#include <stdio.h>

__global__ void pass_on(int *out) {
    __shared__ int data[32];
    __shared__ volatile int ready;
    const int t = threadIdx.x;
    if (t == 0) ready = 0;
    __syncthreads();
    if (t == 40) {
        for (int k = 0; k < 32; ++k) data[k] = k * k;
#if !defined(REV_release) && !defined(REV_neither)
        __threadfence_block();
#endif
        ready = 1;
    }
    if (t < 32) {
        while (ready == 0) {
        }
#if !defined(REV_acquire) && !defined(REV_neither)
        __threadfence_block();
#endif
        out[blockIdx.x * 32 + t] = data[t];
        //[release]~^ ERROR shared-race: has no fence before its write
        //[acquire]~^^ WARNING shared-race: has no fence after its read
        //[neither]~^^^ ERROR shared-race: without a barrier
    }
}

int main() {
    int *out;
    cudaMallocManaged(&out, 3 * 32 * sizeof(int));
    pass_on<<<3, 64>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[1], out[95]);
    cudaFree(out);
    return 0;
}
