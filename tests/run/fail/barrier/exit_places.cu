// Where threads have left the kernel that others wait for at a barrier: a warning where they left by an early return,
// an error where they did something else on the way.
// revisions: two work none
#include <cstdio>

__global__ void k(int* out, int n) {
    int t = threadIdx.x;
#ifndef REV_none
    if (t >= n) {
#ifdef REV_work
        out[t] = 0;
#endif
        return; //[two]~ RELATED barrier-divergence
        //[work]~^ RELATED barrier-divergence
    }
    if (t == 3)
        return; //[two]~ RELATED barrier-divergence
        //[work]~^ RELATED barrier-divergence
#endif
    __syncthreads(); //[two]~ WARNING barrier-divergence: have exited and do not reach this barrier
    //[work]~^ ERROR barrier-divergence: have exited and do not reach this barrier
    out[t] = t < n ? 1 : 0;
    if (t == 5) return;
    out[t] += 1;
}

int main() {
    int* d;
    cudaMalloc(&d, 64 * sizeof(int));
    k<<<1, 64>>>(d, 32);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
