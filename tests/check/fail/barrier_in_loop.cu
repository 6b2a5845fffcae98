// Thread-dependent trip counts, directly and by a value that was computed from a thread's index. Where the
// threads that are done wait at another barrier, or touch memory before they leave the kernel, it is an error.
__global__ void direct(int *p) {
    for (int i = 0; i < threadIdx.x; ++i) {
        __syncthreads(); //~ ERROR barrier-divergence
        p[i] = i;
    }
    __syncthreads();
}

__global__ void by_value(int *p) {
    int n = 4;
    if (threadIdx.x > 8) n = 5;
    for (int i = 0; i < n; ++i) __syncthreads(); //~ ERROR barrier-divergence
    p[0] = n;
}

__global__ void and_leaves(int *p) {
    int n = 4;
    if (threadIdx.x > 8) n = 5;
    for (int i = 0; i < n; ++i) __syncthreads(); //~ WARNING barrier-divergence
}

int main() {
    int *p = 0;
    direct<<<1, 32>>>(p);
    by_value<<<1, 32>>>(p);
    and_leaves<<<1, 32>>>(p);
    return 0;
}
