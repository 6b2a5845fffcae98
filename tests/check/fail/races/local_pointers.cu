// Near misses of tests/check/pass/races/local_pointers.cu: pointers of which one may point to what is written.
// flags: --block-dim 64 --grid-dim 4 --strict

// One of the arrays is the one that is written.
__global__ void one_of_them(float *a, const float *b, int which) {
    const float *from[2];
    from[0] = a;
    from[1] = b;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = from[which & 1][i + 1]; //~ ERROR global-race
}

// The address of the array of pointers goes to a function that nobody has here.
__device__ void fills(const float **where);
__global__ void elsewhere(const float *a, float *out) {
    const float *from[2];
    from[0] = a;
    from[1] = a;
    fills(from); //~ ERROR global-race //~ ERROR shared-race
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = from[1][i]; //~ ERROR global-race
}

// All threads of a block write one word, through a pointer that is told by no index.
__global__ void one_word(int turn) {
    __shared__ int s[4][64];
    int *rows[4];
    for (int i = 0; i < 4; i++) rows[i] = s[i];
    rows[turn & 3][0] = threadIdx.x; //~ ERROR shared-race
}
