// Two accesses in the use of one macro stand in one place: the report says what each thread does there.
// flags: --block-dim 64 --grid-dim 1

#define SHIFT(a, i) a[i] = a[(i) + 1]
#define SWAP(a, i) a[i] = 1, a[(i) ^ 1] = 2

__global__ void shift() {
    __shared__ int s[65];
    s[threadIdx.x] = 1;
    __syncthreads();
    SHIFT(s, threadIdx.x); //~ ERROR shared-race
}

__global__ void swap() {
    __shared__ int s[64];
    SWAP(s, threadIdx.x); //~ ERROR shared-race
}
