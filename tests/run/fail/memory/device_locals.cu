// Addresses of a thread's local variables: after their scope, from another thread, from an earlier launch.
// revisions: fine scope turn other launch
__device__ int* kept;

__global__ void scopes(int* out, int how) {
    int t = threadIdx.x;
    int* p = nullptr;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int y = i;
#ifdef REV_turn
        if (p) sum += *p; //[turn]~ ERROR use-after-free: `y` (4 bytes) after its lifetime has ended
#endif
        p = &y;
        sum += *p;
    } //[turn]~ RELATED use-after-free: its lifetime ends here
    {
        int inner = t;
        p = &inner;
        sum += *p;
    } //[scope]~ RELATED use-after-free: its lifetime ends here
#ifdef REV_scope
    sum += *p; //[scope]~ ERROR use-after-free: `inner` (4 bytes) after its lifetime has ended
#endif
    out[t] = sum;
}

__global__ void lend(int* out) {
    __shared__ int* mine;
    int t = threadIdx.x;
    int x = t;
    if (t == 3) mine = &x;
    __syncthreads();
#ifdef REV_other
    out[t] = *mine; //[other]~ ERROR wrong-memory-space: reads `x` (4 bytes), a local variable of another thread
#else
    if (t == 3) out[t] = *mine;
#endif
    if (t == 0) kept = &x;
    __syncthreads();
}

__global__ void later(int* out) {
    if (threadIdx.x == 0) out[0] = *kept; //[launch]~ ERROR use-after-free: a local variable after its lifetime
}

int main() {
    int* d;
    cudaMalloc(&d, 32 * sizeof(int));
    scopes<<<1, 32>>>(d, 0);
    lend<<<1, 32>>>(d);
#ifdef REV_launch
    later<<<1, 32>>>(d);
#endif
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
