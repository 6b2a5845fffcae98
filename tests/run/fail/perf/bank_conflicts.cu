// Columns of a tile whose rows are 32 words long lie in one bank; a word of padding spreads them. Eight-byte elements
// are served by half warps.
// revisions: square padded
// flags: --perf
// exit: 0
#include <cstdio>

#ifdef REV_padded
const int width = 33;
#else
const int width = 32;
#endif

__global__ void transpose(float *to, const float *from) {
    __shared__ float tile[32][width];
    tile[threadIdx.y][threadIdx.x] = from[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    to[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y]; //[square]~ NOTE bank-conflict: 1024 transactions where 32 would do: 32 times as many
}

__global__ void strided(float *to) {
    __shared__ float words[64];
    __shared__ double wide[32];
    int t = threadIdx.x;
    words[2 * t] = t; //~ NOTE bank-conflict: 2 transactions where 1 would do: 2 times as many
    wide[t] = t; // Neighbours of 8 bytes: two half warps, each without a conflict.
    __syncwarp();
    float same = words[6]; // One word for all lanes.
    to[t] = same + (float)wide[31 - t];
}

int main() {
    float *to, *from, h[1024];
    for (int i = 0; i < 1024; i++) h[i] = i;
    cudaMalloc(&to, sizeof(h));
    cudaMalloc(&from, sizeof(h));
    cudaMemcpy(from, h, sizeof(h), cudaMemcpyHostToDevice);
    transpose<<<1, dim3(32, 32)>>>(to, from);
    cudaMemcpy(h, to, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%g %g\n", h[1], h[32]);
    strided<<<1, 32>>>(to);
    cudaMemcpy(h, to, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%g %g\n", h[0], h[31]);
    cudaFree(to);
    cudaFree(from);
    return 0;
}
