// A thread's own atomic operation orders nothing if nobody looks at its result: the others' may still come.
// revisions: shared shared_first shared_maximum global result_as_data plain_guess other_write ticket
#include <stdio.h>

__device__ int beside[1];

__global__ void k(int *sum, int *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    __shared__ int s;
    if (t == 0) s = 0;
    __syncthreads();
#if defined REV_shared
    atomicAdd(&s, t); //[shared]~ RELATED shared-race
    if (t == 63) out[blockIdx.x] = s; //[shared]~ ERROR shared-race
#elif defined REV_shared_first
    atomicAdd(&s, t); //[shared_first]~ RELATED shared-race
    if (t == 0) out[blockIdx.x] = s; //[shared_first]~ ERROR shared-race
#elif defined REV_shared_maximum
    if (t % 2 == 0) atomicMax(&s, t + 1); //[shared_maximum]~ RELATED shared-race
    if (t == 62) out[blockIdx.x] = s; //[shared_maximum]~ ERROR shared-race
#elif defined REV_global
    atomicAdd(sum, t); //[global]~ RELATED global-race
    if (i == 127) out[0] = *sum; //[global]~ ERROR global-race
#elif defined REV_result_as_data
    // The guess goes elsewhere, too.
    int old = *sum, assumed; //[result_as_data]~ ERROR global-race
    if (i == 5) beside[0] = old;
    do {
        assumed = old;
        old = atomicCAS(sum, assumed, assumed + 1); //[result_as_data]~ RELATED global-race
    } while (assumed != old);
#elif defined REV_plain_guess
    // The operation is at another place.
    int old = *sum, assumed; //[plain_guess]~ ERROR global-race
    do {
        assumed = old;
        old = atomicCAS(sum + 1, assumed, assumed + 1);
    } while (assumed != old);
    if (i == 0) atomicAdd(sum, 1); //[plain_guess]~ RELATED global-race
#elif defined REV_other_write
    if (i == 0) *sum = 7; //[other_write]~ ERROR global-race
    if (i == 64) {
        int old = *sum, assumed; //[other_write]~ ERROR global-race
        do {
            assumed = old;
            old = atomicCAS(sum, assumed, assumed + 1); //[other_write]~ RELATED global-race
        } while (assumed != old);
    }
#else
    // The thread that comes last knows it.
    if (atomicAdd(sum, 1) == 127) out[0] = *sum;
#endif
}

int main() {
    int *sum, *out;
    cudaMalloc(&sum, 2 * sizeof(int));
    cudaMalloc(&out, 4 * sizeof(int));
    cudaMemset(sum, 0, 2 * sizeof(int));
    k<<<2, 64>>>(sum, out);
    cudaDeviceSynchronize();
    cudaFree(sum);
    cudaFree(out);
    return 0;
}
