// Indices that leave their row, or an array that is a member, and stay in the object. Near misses: within the row, and the
// whole of the object through a pointer.
// flags: --block-dim 32 --grid-dim 1 --verdicts
struct Pair {
    int a[4];
    int b[4];
};
__device__ int table[6][7];

__global__ void shared_row(int *out) {
    __shared__ int tile[8][9];
    int t = threadIdx.x;
    for (int i = t; i < 72; i += 32)
        tile[i / 9][i % 9] = i;
    __syncthreads();
    if (t < 8)
        out[t] = tile[t % 7][t + 2]; //~ ERROR out-of-bounds: thread 7 of block 0 uses index 9, which is outside of its array of 9 elements
}

__global__ void shared_row_within(int *out) {
    __shared__ int tile[8][9];
    int t = threadIdx.x;
    for (int i = t; i < 72; i += 32)
        tile[i / 9][i % 9] = i;
    __syncthreads();
    if (t < 8)
        out[t] = tile[t % 7][t + 1];
    int *flat = &tile[0][0];
    out[t + 8] = flat[t + 32];
}

__global__ void negative(int *out, int z) {
    if (threadIdx.x < 7)
        out[threadIdx.x] = table[1][(int)threadIdx.x - 1]; //~ ERROR out-of-bounds: thread 0 of block 0 uses index -1, which is outside of its array of 7 elements
}

__global__ void by_argument(int *out, int z) {
    out[threadIdx.x] = table[2][z]; //~ WARNING out-of-bounds: a thread may use an index outside of its array of 7 elements
}

__global__ void by_argument_tested(int *out, unsigned z) {
    if (z < 7)
        out[threadIdx.x] = table[2][z];
}

__global__ void member(int *out) {
    Pair p;
    for (int i = 0; i < 4; i++)
        p.a[i] = p.b[i] = i;
    if (threadIdx.x < 5)
        out[threadIdx.x] = p.a[threadIdx.x]; //~ ERROR out-of-bounds: thread 4 of block 0 uses index 4, which is outside of its array of 4 elements
    out[threadIdx.x + 32] = p.a[threadIdx.x % 4];
}
