// Warp operations in machine code: who does not take part is seen, and so is a race between lanes of a warp.
// run-flags: --engine jit
// revisions: exited mask absent race uninit none
#include <cstdio>

__global__ void k(const int *in, int *out, unsigned mask, int n) {
    __shared__ int s[64];
    int i = threadIdx.x, x = in[i];
#if defined(REV_exited)
    if (x % 32 == 31) return;
    x += __shfl_down_sync(mask, x, 1); //[exited]~ WARNING sync-mask
    //[exited]~^ ERROR sync-mask
#elif defined(REV_mask)
    x += __shfl_sync(mask >> n / 64, x, 3); //[mask]~ ERROR sync-mask
#elif defined(REV_absent)
    if (i < 40) x += __shfl_xor_sync(mask, x, 1); //[absent]~ WARNING sync-mask
#elif defined(REV_race)
    s[i] = x;
    x += __shfl_xor_sync(mask, x, 1);
    x += s[i ^ 1]; //[race]~ ERROR shared-race
#elif defined(REV_uninit)
    int own[2];
    own[x & 1] = x;
    x += __shfl_xor_sync(mask, own[0], 1); //[uninit]~ ERROR uninitialized-read
#else
    s[i] = x;
    x += __shfl_xor_sync(mask, x, 1);
    x += s[i];
#endif
    out[i] = x;
}

int main() {
    int *out, *in;
    cudaMallocManaged(&out, 64 * sizeof(int));
    cudaMallocManaged(&in, 64 * sizeof(int));
    for (int i = 0; i < 64; i++) in[i] = i, out[i] = 0;
    k<<<1, 64>>>(in, out, 0xffffffff, 64);
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(in);
}
