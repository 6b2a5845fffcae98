// What machine code gives up is told by the bytecode, which runs the launch from the start; the near misses do not give up.
// run-flags: --engine jit
// revisions: race bounds uninit overflow waits shared barrier none
#include <cstdio>

__global__ void k(int *out, const int *in, int n) {
    __shared__ int part[64];
    int i = threadIdx.x;
#if defined(REV_race)
    out[i / 2] = i; //[race]~ ERROR global-race
#elif defined(REV_bounds)
    out[i] = in[i + 1]; //[bounds]~ ERROR out-of-bounds
#elif defined(REV_uninit)
    if (i > 3) part[i] = i;
    __syncthreads();
    out[i] = part[i] + n; //[uninit]~ ERROR uninitialized-read
#elif defined(REV_overflow)
    out[i] = (n + i) * 70000000; //[overflow]~ WARNING undefined-behavior
#elif defined(REV_waits)
    if (i == 0) out[1] = 1;
    while (out[0] == 0) { //[waits]~ ERROR deadlock
    }
#elif defined(REV_shared)
    part[i] = i; //[shared]~ RELATED shared-race
    out[i] = part[i ^ 1]; //[shared]~ ERROR shared-race
#elif defined(REV_barrier)
    if (i < 32) {
        __syncthreads(); //[barrier]~ ERROR barrier-divergence
    } else {
        __syncthreads();
    }
#else
    part[i] = in[i];
    __syncthreads();
    out[i ^ 1] = part[i ^ 3] + n;
#endif
}

int main() {
    int *out, *in;
    cudaMallocManaged(&out, 64 * sizeof(int));
    cudaMallocManaged(&in, 64 * sizeof(int));
    for (int i = 0; i < 64; i++) in[i] = i, out[i] = 0;
    k<<<1, 64>>>(out, in, 1);
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(in);
}
