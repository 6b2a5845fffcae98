// What two blocks touch by atomics of a block's scope is as plain: a flag orders it where its reader executes a fence,
// and the severity without one is that of plain stores.
// revisions: fence no_fence plain_fence plain_no_fence no_flag
__device__ int flag = 0;

__global__ void k(unsigned *data) {
    if (blockIdx.x == 0) {
#if defined REV_plain_fence || defined REV_plain_no_fence
        data[0] = 1; //[plain_no_fence]~ RELATED global-race
#else
        atomicExch_block(&data[0], 1); //[no_fence,no_flag]~ RELATED global-race
#endif
        __threadfence();
        atomicExch(&flag, 1); //[no_fence,plain_no_fence]~ RELATED global-race
    } else {
#ifndef REV_no_flag
        while (atomicAdd(&flag, 0) != 1) { //[no_fence,plain_no_fence]~ RELATED global-race
        }
#endif
#if defined REV_fence || defined REV_plain_fence
        __threadfence();
#endif
#if defined REV_plain_fence || defined REV_plain_no_fence
        data[0] = 3; //[plain_no_fence]~ WARNING global-race: has no fence after its read
#else
        atomicExch_block(&data[0], 3); //[no_fence]~ WARNING global-race: has no fence after its read
        //[no_flag]~^ ERROR global-race: nothing orders the two blocks
#endif
    }
}

int main() {
    unsigned *data;
    cudaMalloc(&data, sizeof *data);
    cudaMemset(data, 0, sizeof *data);
    k<<<2, 1>>>(data);
    cudaDeviceSynchronize();
    cudaFree(data);
    return 0;
}
