// Some of what is read is not written: possible.
// flags: --block-dim 64 --grid-dim 1 --verdicts
__global__ void hole(float *a) {
    __shared__ float s[64];
    if (threadIdx.x != 7) s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = s[63 - threadIdx.x] * 2; //~ WARNING uninitialized-read: bytes of `s` may be read before any thread has written them
}

__global__ void beyond(float *a) {
    __shared__ float s[65];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = s[1 + threadIdx.x] * 2; //~ WARNING uninitialized-read
}

// Nothing orders the write before the read. The race is told, and what is read is not checked.
__global__ void unordered(float *a) {
    __shared__ float s[64];
    s[threadIdx.x] = a[threadIdx.x]; //~ RELATED shared-race
    a[threadIdx.x] = s[63 - threadIdx.x] * 2; //~ ERROR shared-race
}

// The threads that wait have written; those that return have not.
__global__ void gone(float *a, int n) {
    __shared__ float s[64];
    if (threadIdx.x < n) s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = s[63 - threadIdx.x] * 2; //~ WARNING uninitialized-read
}

// One thread leaves its loop before it comes to its last element.
__global__ void leave(int *out) {
    __shared__ int s[128];
    for (int i = threadIdx.x; i < 128; i += 64) {
        if (i == 3) break;
        s[i] = i;
    }
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x + 64] * 3; //~ WARNING uninitialized-read
}

// The buffer that the next iteration fills.
__global__ void buffers(const float *a, float *o, int n) {
    __shared__ float s[2][64];
    int t = threadIdx.x;
    s[0][t] = a[t];
    __syncthreads();
    float r = 0;
    for (int k = 0; k < n; k++) {
        r += s[(k + 1) & 1][63 - t] * 2; //~ WARNING uninitialized-read
        __syncthreads();
        s[k & 1][t] = a[k];
        __syncthreads();
    }
    o[t] = r;
}
