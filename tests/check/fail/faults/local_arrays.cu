// Indices outside of local arrays. Near misses: within, by the launch, a test or a loop's bounds.
// flags: --block-dim 32 --grid-dim 1 --verdicts
__global__ void by_thread(int *out) {
    int box[31];
    for (int i = 0; i < 31; i++)
        box[i] = i;
    out[threadIdx.x] = box[threadIdx.x]; //~ ERROR out-of-bounds: thread 31 of block 0 touches 4 bytes at offset 124 of `box`, which has 124 bytes
}

__global__ void by_thread_within(int *out) {
    int box[32];
    for (int i = 0; i < 32; i++)
        box[i] = i;
    out[threadIdx.x] = box[threadIdx.x];
}

__global__ void one_more(int *out) {
    int box[8];
    for (int i = 0; i <= 8; i++)
        box[i] = i; //~ ERROR out-of-bounds: thread 0 of block 0 touches 4 bytes at offset 32 of `box`, which has 32 bytes
    out[threadIdx.x] = box[threadIdx.x % 8];
}

__global__ void by_data(int *out, const int *index) {
    int box[4] = {1, 2, 3, 4};
    out[threadIdx.x] = box[index[threadIdx.x]]; //~ WARNING out-of-bounds: a thread may touch bytes outside of `box`
}

__global__ void by_data_tested(int *out, const int *index) {
    int box[4] = {1, 2, 3, 4};
    int i = index[threadIdx.x];
    out[threadIdx.x] = i >= 0 && i < 4 ? box[i] : 0;
}

// Which of two arrays it is hangs on the thread: each is large enough for those that use it.
__global__ void either(int *out) {
    int small[8], large[32];
    for (int i = 0; i < 32; i++)
        large[i] = i;
    for (int i = 0; i < 8; i++)
        small[i] = i;
    int *p = threadIdx.x < 8 ? small : large;
    out[threadIdx.x] = p[threadIdx.x];
}

__global__ void either_and_one_more(int *out) {
    int small[8], large[32];
    for (int i = 0; i < 32; i++)
        large[i] = i;
    for (int i = 0; i < 8; i++)
        small[i] = i;
    int *p = threadIdx.x <= 8 ? small : large;
    out[threadIdx.x] = p[threadIdx.x]; //~ ERROR out-of-bounds: thread 8 of block 0 touches 4 bytes at offset 32 of `small`, which has 32 bytes
}
