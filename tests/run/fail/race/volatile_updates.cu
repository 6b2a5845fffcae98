// A volatile read and a volatile store that depends on it are no atomic operation: what another thread writes in
// between is lost.
// revisions: global one_warp warps shared shared_warps blocks held outside_lock lock_without_fence against_atomic
#include <stdio.h>

__device__ int lock = 0;

__global__ void count(volatile int *c, int *out) {
    const int t = threadIdx.x;
    (void)t;
#if defined REV_global
    c[0]++; //[global]~ ERROR global-race: updates are lost
#elif defined REV_one_warp
    if (blockIdx.x == 0 && t < 32) c[0]++; //[one_warp]~ ERROR global-race: updates are lost
#elif defined REV_warps
    if (t % 32 == 0) c[0] = 1 + c[0]; //[warps]~ ERROR global-race: updates are lost
#elif defined REV_blocks
    if (t == 0) c[0] = c[0] > 7 ? c[0] : c[0] + 1; //[blocks]~ ERROR global-race: updates are lost
#elif defined REV_shared || defined REV_shared_warps
    __shared__ volatile int s;
    if (t == 0) s = 0;
    __syncthreads();
#ifdef REV_shared
    s += t; //[shared]~ ERROR shared-race: updates are lost
#else
    if (t % 32 == 0) s = s + 1; //[shared_warps]~ ERROR shared-race: updates are lost
#endif
    __syncthreads();
    if (t == 0) out[blockIdx.x] = s;
#elif defined REV_held
    // The others' writes come between the read and the store, although a lock orders them before the store.
    const int seen = c[0];
    if (t % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        __threadfence();
        c[0] = seen + 1; //[held]~ ERROR global-race: updates are lost
        __threadfence();
        atomicExch(&lock, 0);
    }
#elif defined REV_outside_lock
    if (t == 0 && blockIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        __threadfence();
        c[0] = c[0] + 1; //[outside_lock]~ RELATED global-race
        __threadfence();
        atomicExch(&lock, 0);
    } else if (t == 0) {
        c[0] = 2; //[outside_lock]~ ERROR global-race: updates are lost
    }
#elif defined REV_lock_without_fence
    if (t == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) { //[lock_without_fence]~ RELATED global-race
        }
        __threadfence();
        c[0] = c[0] + 1; //[lock_without_fence]~ ERROR global-race: has no fence before its write
        atomicExch(&lock, 0); //[lock_without_fence]~ RELATED global-race
    }
#else
    if (t == 0 && blockIdx.x == 0) c[0] = c[0] + 1; //[against_atomic]~ ERROR global-race: updates are lost
    else if (t == 0) atomicAdd((int *)c, 1); //[against_atomic]~ RELATED global-race
#endif
}

int main() {
    int *c, *out;
    cudaMalloc(&c, sizeof(int));
    cudaMalloc(&out, 2 * sizeof(int));
    cudaMemset(c, 0, sizeof(int));
    count<<<2, 64>>>(c, out);
    cudaDeviceSynchronize();
    cudaFree(c);
    cudaFree(out);
    return 0;
}
