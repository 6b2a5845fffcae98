// Near misses of an array of `float` that does not start at a multiple of 16, and what is read of one as nothing larger than it is
// declared.
#include <stdio.h>

extern __shared__ char dynamic[];

// The first of the variables.
__global__ void first(float *out) {
    __shared__ float tile[64];
    __shared__ char flag;
    if (threadIdx.x == 0)
        flag = 1;
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    float4 v = *(float4 *)(tile + 4 * (threadIdx.x / 4));
    out[threadIdx.x] = v.x + flag;
}

// Declared with as much.
__global__ void promised(float *out) {
    __shared__ char flag;
    __shared__ __align__(16) float tile[64];
    if (threadIdx.x == 0)
        flag = 1;
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    float4 v = *(float4 *)(tile + 4 * (threadIdx.x / 4));
    out[threadIdx.x] = v.x + flag;
}

// A compiler aligns what is read as such at its very start.
__global__ void start(float *out) {
    __shared__ char flag;
    __shared__ float tile[64];
    if (threadIdx.x == 0)
        flag = 1;
    tile[threadIdx.x] = threadIdx.x + 1;
    __syncthreads();
    float4 v = *(float4 *)tile;
    out[threadIdx.x] = v.x + flag;
}

// Dynamic memory begins at a multiple of 16, behind all others.
__global__ void behind(float *out) {
    float *tile = (float *)dynamic;
    __shared__ float three[3];
    if (threadIdx.x < 3)
        three[threadIdx.x] = 1;
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    float4 v = ((float4 *)tile)[threadIdx.x / 4];
    out[threadIdx.x] = v.x + three[threadIdx.x % 3];
}

// The odd one is at hand, and what is read as `float4` is another.
__global__ void another(float *out, const float4 *in) {
    __shared__ char flag;
    __shared__ float tile[64];
    if (threadIdx.x == 0)
        flag = 1;
    tile[threadIdx.x] = in[threadIdx.x / 4].y;
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x] + flag;
}

// Accesses that state 16 bytes meet the odd one at a place that is aligned.
__global__ void by_luck(float *out) {
    __shared__ int flags[3];
    __shared__ float tile[65];
    if (threadIdx.x < 3)
        flags[threadIdx.x] = 1;
    tile[threadIdx.x + 1] = threadIdx.x;
    __syncthreads();
    float4 v = *(float4 *)(tile + 1 + 4 * (threadIdx.x / 4));
    out[threadIdx.x] = v.x + tile[threadIdx.x + 1] + flags[threadIdx.x % 3];
}

static void show(float *out) {
    float host[64];
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    printf("%g %g %g %s\n", host[0], host[5], host[63], cudaGetErrorString(cudaGetLastError()));
}

int main() {
    float *out;
    float4 *in;
    cudaMalloc(&out, 64 * sizeof(float));
    cudaMalloc(&in, 16 * sizeof(float4));
    cudaMemset(in, 0, 16 * sizeof(float4));
    first<<<1, 64>>>(out);
    show(out);
    promised<<<1, 64>>>(out);
    show(out);
    start<<<1, 64>>>(out);
    show(out);
    behind<<<1, 64, 256>>>(out);
    show(out);
    another<<<1, 64>>>(out, in);
    show(out);
    by_luck<<<1, 64>>>(out);
    show(out);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
