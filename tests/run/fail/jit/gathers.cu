// Lanes that run together access shared memory apart from each other: what they do to one place is seen, and what each does to its
// own is not.
// run-flags: --engine jit
// revisions: read_twice write_twice read_strided write_strided uninit outside none
#include <cstdio>

__global__ void k(int *out, const int *at, int n) {
    __shared__ int s[64];
    int i = threadIdx.x;
#if defined(REV_uninit)
    if (i != 9) s[i] = i;
    __syncthreads();
    out[i] = s[at[i]] + n; //[uninit]~ ERROR uninitialized-read
#elif defined(REV_outside)
    s[i] = i;
    __syncthreads();
    out[i] = s[at[i] + n * 10]; //[outside]~ ERROR out-of-bounds
#else
    s[i] = i;
    __syncthreads();
#if defined(REV_read_twice)
    // Threads 2 and 5 read what thread 5 writes.
    int x = s[i == 2 ? at[5] : at[i]]; //[read_twice]~ ERROR shared-race
    s[at[i]] = x + 1; //[read_twice]~ RELATED shared-race
#elif defined(REV_write_twice)
    s[i == 2 ? at[5] : at[i]] = i; //[write_twice]~ ERROR shared-race
#elif defined(REV_read_strided)
    if (i < 32) {
        int x = s[2 * i]; //[read_strided]~ ERROR shared-race
        s[i] = x; //[read_strided]~ RELATED shared-race
    }
#elif defined(REV_write_strided)
    if (i < 32) s[2 * i] = i; //[write_strided]~ RELATED shared-race
    s[i] = i; //[write_strided]~ ERROR shared-race
#else
    // Each its own, more than once.
    int x = s[at[i]];
    s[at[i]] = x + 1;
    s[at[i]] += at[i];
    __syncthreads();
    // All read one.
    x = s[at[7]] + s[at[63 - i]];
    __syncthreads();
    if (i < 32) s[2 * i + 1] = s[2 * i + 1] + x;
#endif
    __syncthreads();
    out[i] = s[63 - i] + n;
#endif
}

int main() {
    int *out, *at;
    cudaMallocManaged(&out, 64 * sizeof(int));
    cudaMallocManaged(&at, 64 * sizeof(int));
    for (int i = 0; i < 64; i++) at[i] = i, out[i] = 0;
    k<<<1, 64>>>(out, at, 1);
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(at);
}
