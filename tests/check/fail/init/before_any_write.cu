// No thread can have written what is read: in every launch, or in each that the options allow. Where a loop writes, its first
// iteration reads first.
// flags: --block-dim 64 --grid-dim 1
__global__ void never(float *a) {
    __shared__ float s[64];
    a[threadIdx.x] = s[threadIdx.x] * 2; //~ ERROR uninitialized-read: bytes of `s` are read before any thread has written them
}

__global__ void count(int *out) {
    __shared__ int n;
    atomicAdd(&n, 1); //~ ERROR uninitialized-read: bytes of `n` are read before any thread has written them
    __syncthreads();
    out[threadIdx.x] = n + 1;
}

__global__ void one(int *out) {
    __shared__ int n;
    if (threadIdx.x == 0) n += 1; //~ ERROR uninitialized-read
    __syncthreads();
    out[threadIdx.x] = n + 1;
}

__global__ void late(float *a) {
    __shared__ float s[64];
    float r = 0;
    for (int i = 0; i < 4; i++) {
        r += s[63 - threadIdx.x]; //~ ERROR uninitialized-read
        __syncthreads();
        s[threadIdx.x] = a[threadIdx.x];
        __syncthreads();
    }
    a[threadIdx.x] = r;
}

__global__ void exchanged(int *a) {
    __shared__ int n, unused;
    a[threadIdx.x] = atomicExch(&n, threadIdx.x) + 1; //~ ERROR uninitialized-read
    // A store.
    atomicExch(&unused, threadIdx.x);
}

// A copy alone is no use.
__global__ void copied(int *a) {
    __shared__ int n;
    a[threadIdx.x] = n;
}

// Whether a thread comes here, data says.
__global__ void perhaps(int *a) {
    __shared__ int n;
    if (a[threadIdx.x] > 5) a[threadIdx.x] = n + 1;
}

// Those that come to the barrier wait for the others for ever.
__global__ void behind(int *a) {
    __shared__ int n;
    if (threadIdx.x < 5) __syncthreads(); //~ ERROR barrier-divergence
    a[threadIdx.x] = n + 1;
}
