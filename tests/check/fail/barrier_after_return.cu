// Some threads have left before the barrier. No launch is known, so every shape counts.
__global__ void leave(int *p, int n) {
    if (threadIdx.x >= n) return;
    p[threadIdx.x] += 1;
    __syncthreads(); //~ WARNING barrier-divergence
    p[threadIdx.x] *= 2;
}
