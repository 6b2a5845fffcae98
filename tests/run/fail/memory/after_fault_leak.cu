// A fault ends the context, and what was allocated in it with it: no leak. Where only the thread ends, the next
// kernel's fault and the leak are told, too.
// revisions: launch thread
//[thread] flags: --after-fault thread
__global__ void near_end(int *p) {
    p[256] = 42; //~ ERROR out-of-bounds
}
__global__ void far_off(int *p) {
    p[1000] = 42; //[thread]~ ERROR out-of-bounds
}

int main() {
    int *p;
    cudaMalloc(&p, 1024); //[thread]~ WARNING memory-leak
    near_end<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    far_off<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    return 0;
}
