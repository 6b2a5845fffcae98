// What a launch writes and never reads is not kept for the bytecode, which writes it once more when machine code gives the launch
// up. Where it does not write all of it, the host may see the difference: so what it may read is kept.
// revisions: overflow managed pinned other twice
// run-flags: --engine jit --jobs 2
#include <cstdio>

const int N = 1 << 16;

__global__ void k(int *out, const int *in, int *sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#if defined(REV_managed) || defined(REV_pinned)
    // Two threads of the machine run blocks; those behind the one that faults have no effect.
    int x = 0;
    for (int turn = 0; turn < 100; turn++)
        x += in[(i + turn) % n] & 1;
    out[i] = x + 1;
    if (blockIdx.x == 100)
        out[i] = in[i + n]; //[managed,pinned]~ ERROR out-of-bounds
#elif defined(REV_overflow)
    out[i] = in[i] + n; //[overflow]~ WARNING undefined-behavior: signed integer overflow
#elif defined(REV_other)
    // One object by two names, of which one is read.
    out[i] = in[i] + 1;
    if (i == n)
        sums[i] = sums[i] + 2147483647; //[other]~ WARNING undefined-behavior: signed integer overflow
#elif defined(REV_twice)
    out[i] = in[i];
    if (i == n)
        out[i - 1] = 5; //[twice]~ ERROR global-race
#endif
}

int main() {
    int *in, *out, *sums;
    cudaMalloc(&in, N * sizeof(int));
#if defined(REV_managed)
    cudaMallocManaged(&out, N * sizeof(int));
#elif defined(REV_pinned)
    cudaMallocHost(&out, N * sizeof(int));
#else
    cudaMalloc(&out, N * sizeof(int));
#endif
    static int h[N];
    for (int i = 0; i < N; i++)
        h[i] = i;
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
#if defined(REV_managed) || defined(REV_pinned)
    for (int i = 0; i < N; i++)
        out[i] = 0;
#else
    cudaMemset(out, 0, sizeof h);
#endif
    sums = out;
    int n = 2147483647 - N + 2;
#if defined(REV_managed) || defined(REV_pinned)
    n = N;
#elif defined(REV_other) || defined(REV_twice)
    n = 9;
#endif
    k<<<N / 256, 256>>>(out, in, sums, n);
    cudaError_t e = cudaDeviceSynchronize();
#if !defined(REV_managed) && !defined(REV_pinned)
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    int *seen = h;
#else
    int *seen = out;
#endif
    long long sum = 0;
    int some = 0;
    for (int i = 0; i < N; i++) {
        sum += seen[i];
        some += seen[i] != 0;
    }
    printf("%d %d %lld\n", e != cudaSuccess, some, sum);
#if defined(REV_overflow) || defined(REV_other) || defined(REV_twice)
    cudaFree(in);
    cudaFree(out);
#endif
    return 0;
}
