// A flag between two blocks needs a fence before it is written and one after it is read, both of device scope.
// revisions: both release acquire neither block_fence block_atomic
#include <stdio.h>

#ifdef REV_block_fence
#define FENCE __threadfence_block
#else
#define FENCE __threadfence
#endif

__global__ void pass_on(int *data, int *flag, int *out) {
    if (blockIdx.x == 1) {
        *data = 42; //[release]~ RELATED global-race
#if !defined(REV_release) && !defined(REV_neither)
        FENCE();
#endif
#ifdef REV_block_atomic
        atomicExch_block(flag, 1); //[block_atomic]~ ERROR global-race: and nothing orders the two blocks
#else
        atomicExch(flag, 1);
#endif
    } else {
        while (atomicAdd(flag, 0) == 0) {
        }
#if !defined(REV_acquire) && !defined(REV_neither)
        FENCE();
#endif
        *out = *data;
        //[release]~^ ERROR global-race: has no fence before its write
        //[acquire]~^^ WARNING global-race: has no fence after its read
        //[neither]~^^^ ERROR global-race: nothing orders
        //[block_fence]~^^^^ ERROR global-race: ; the fences or atomics that pass them on have block scope
        //[block_atomic]~^^^^^ ERROR global-race: ; the fences or atomics that pass them on have block scope
    }
}

int main() {
    int *data, *flag, *out;
    cudaMalloc(&data, sizeof(int));
    cudaMalloc(&flag, sizeof(int));
    cudaMallocManaged(&out, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    pass_on<<<2, 1>>>(data, flag, out);
    cudaDeviceSynchronize();
    printf("%d\n", *out);
    cudaFree(data);
    cudaFree(flag);
    cudaFree(out);
    return 0;
}
