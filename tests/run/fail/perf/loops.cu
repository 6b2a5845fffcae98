// What hangs on a loop's counter or on the block: reductions in two orders, a stride over the grid, columns of a matrix.
// flags: --perf
// exit: 0
#include <cstdio>

__global__ void interleaved(const int *in, int *out) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int i = 2 * d * t;
        if (i < 128) s[i] += s[i + d]; //~ NOTE bank-conflict: 92 transactions where 32 would do: 2.9 times as many //~ NOTE bank-conflict: 46 transactions where 16 would do: 2.9 times as many //~ NOTE warp-divergence: 10 of 56 executions of this branch split a warp
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0]; //~ NOTE warp-divergence: 2 of 8 executions of this branch split a warp
}

__global__ void sequential(const int *in, int *out) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int d = 64; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d]; //~ NOTE warp-divergence: 10 of 56 executions of this branch split a warp
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0]; //~ NOTE warp-divergence: 2 of 8 executions of this branch split a warp
}

// Each warp does a piece of its own length.
__global__ void strided(const int *in, int *out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i] + 1;
}

__global__ void uneven(const int *in, int *out) {
    int sum = 0;
    for (int i = 0; i < threadIdx.x % 4; i++) sum += in[i]; //~ NOTE warp-divergence: 6 of 8 executions of this branch split a warp
    out[threadIdx.x] = sum;
}

__global__ void columns(const int *m, int *out, int n) {
    int sum = 0;
    for (int k = 0; k < n; k++) sum += m[threadIdx.x * n + k]; //~ NOTE uncoalesced-access: 4096 sectors of 32 bytes where 512 would do: 8 times as many
    out[threadIdx.x] = sum;
}

__global__ void rows(const int *m, int *out, int n) {
    int sum = 0;
    for (int k = 0; k < n; k++) sum += m[k * n + threadIdx.x];
    out[threadIdx.x] = sum;
}

int main() {
    int *in, *out, h[4096];
    for (int i = 0; i < 4096; i++) h[i] = i % 7;
    cudaMalloc(&in, sizeof(h));
    cudaMalloc(&out, sizeof(h));
    cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice);
    interleaved<<<2, 128>>>(in, out);
    sequential<<<2, 128>>>(in, out);
    strided<<<3, 64>>>(in, out, 1000);
    uneven<<<1, 64>>>(in, out);
    columns<<<1, 64>>>(in, out, 64);
    rows<<<1, 64>>>(in, out, 64);
    cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[63]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
