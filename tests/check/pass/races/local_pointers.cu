// Pointers that come out of local arrays, or walk along an array: which objects they may point into is told.
// Near misses: tests/check/fail/races/local_pointers.cu.
// flags: --block-dim 64 --grid-dim 4 --verdicts --strict

// What is written through the array of rows is shared memory, and so no part of `in`.
__global__ void rows_of_a_tile(const int *in, int *out, int turn) {
    __shared__ int s[4][64];
    int *rows[4];
    for (int i = 0; i < 4; i++) rows[i] = s[i];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int limit = in[blockIdx.x];
    if (limit > 5) __syncthreads();
    out[i] = limit;
    if (threadIdx.x == 0) rows[turn & 3][0] = in[blockIdx.x];
}

// Each element of the local array is one of two parameters.
__global__ void two_arrays(const float *a, const float *b, float *out, int which) {
    const float *from[2];
    from[0] = a;
    from[1] = b;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = from[which & 1][i] + from[~which & 1][i + 1];
}

// A pointer that walks along one array.
__global__ void walks(const int *list, int *out, int n) {
    const int *p = list;
    int sum = 0;
    while (n > 0) {
        sum += *p;
        p += *p & 3;
        n -= sum;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Two arrays change places; a third one is written.
__global__ void swapped(const float *a, const float *b, float *out, int rounds) {
    const float *from = a, *next = b;
    float sum = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < rounds; r++) {
        sum += from[i];
        const float *last = from;
        from = next;
        next = last;
    }
    out[i] = sum;
}
