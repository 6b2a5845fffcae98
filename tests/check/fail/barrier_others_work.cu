// Threads that do not come to the barrier, and leave: a warning where they only leave, an error where they touch memory
// on the way, as `cudair run` says it.
__global__ void works(int *p) {
    if (threadIdx.x < 5) {
        p[threadIdx.x] += 1;
        __syncthreads(); //~ ERROR barrier-divergence: have left the kernel
    }
    p[threadIdx.x] = 2;
}

__global__ void leaves(int *p) {
    if (threadIdx.x < 5) {
        p[threadIdx.x] += 1;
        __syncthreads(); //~ WARNING barrier-divergence: have left the kernel
        p[threadIdx.x] = 2;
    }
}
