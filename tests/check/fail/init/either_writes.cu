// Who writes hangs on what each thread finds out alone: that one of two threads writes does not follow from one of them. The
// near misses are in pass/init/behind_own_loops.cu.
// flags: --block-dim 256 --grid-dim 1 --verdicts
__global__ void drawn(float *out, int *c) {
    __shared__ float s[300];
    int t = threadIdx.x;
    bool odd = atomicAdd(c, 1) & 1;
    if (odd) s[t + 1] = 1;
    if (!odd) s[t + 2] = 1; //~ WARNING shared-race
    __syncthreads();
    if (t >= 2) out[t] = s[t] + 1; //~ WARNING uninitialized-read
}

__global__ void counted(float *out, const int *in, int n) {
    __shared__ float s[300];
    int t = threadIdx.x, i = 0;
    while (in[t * 7 + i] > n) i++;
    if (i > 3) s[t + 1] = 1;
    if (i <= 3) s[t + 2] = 1; //~ WARNING shared-race
    __syncthreads();
    if (t >= 2) out[t] = s[t] + 1; //~ WARNING uninitialized-read
}

// Behind a barrier that a thread without a write passes, too.
__global__ void some(float *out, const int *in, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    for (int i = t; i < n; i += 256)
        if (in[i] == 3) s[t] = 1;
    __syncthreads();
    out[t] = s[255 - t] + 1; //~ WARNING uninitialized-read
}
