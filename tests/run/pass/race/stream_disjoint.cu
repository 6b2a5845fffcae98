// Streams without any order that share memory and still do not meet: halves, bytes side by side, reads of one
// table, atomic counters.
#include <stdio.h>

#define N 256

__device__ int counter;

__global__ void half(int *p, int from) {
    const int i = from + blockIdx.x * blockDim.x + threadIdx.x;
    p[i] = p[i] + i;
}

__global__ void odd(char *p, int first) {
    p[2 * threadIdx.x + first] = (char)(2 * threadIdx.x + first);
}

__global__ void row(float *m, const float *table, int y) {
    for (int x = threadIdx.x; x < N; x += blockDim.x) m[y * N + x] = table[x] + table[N - 1 - x];
}

__global__ void count(const int *p, unsigned *bins) {
    atomicAdd(&counter, 1);
    atomicAdd(&bins[p[threadIdx.x] & 3], 1u);
}

// One thread, whose accesses race with nobody in its own launch.
__global__ void one(int *p, int i) {
    p[i] = i;
}

int main() {
    int *p;
    char *bytes;
    float *m, *table, host[4 * N];
    unsigned *bins;
    cudaStream_t s[4];
    cudaMalloc(&p, 2 * N * sizeof(int));
    cudaMalloc(&bytes, 2 * N);
    cudaMalloc(&m, 4 * N * sizeof(float));
    cudaMalloc(&table, N * sizeof(float));
    cudaMalloc(&bins, 4 * sizeof(unsigned));
    cudaMemset(p, 0, 2 * N * sizeof(int));
    cudaMemset(bins, 0, 4 * sizeof(unsigned));
    for (int i = 0; i < N; ++i) host[i] = (float)i;
    cudaMemcpy(table, host, N * sizeof(float), cudaMemcpyHostToDevice);
    for (int i = 0; i < 4; ++i) cudaStreamCreate(&s[i]);

    for (int i = 0; i < 2; ++i) half<<<N / 32, 32, 0, s[i]>>>(p, i * N);
    for (int i = 0; i < 2; ++i) odd<<<1, N, 0, s[2 + i]>>>(bytes, i);
    for (int i = 0; i < 4; ++i) row<<<1, 64, 0, s[i]>>>(m, table, i);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; ++i) count<<<1, N, 0, s[i]>>>(p, bins);
    for (int i = 0; i < 4; ++i) {
        cudaMemcpyAsync(&host[i * N], &m[i * N], N * sizeof(float), cudaMemcpyDeviceToHost, s[i]);
        cudaMemsetAsync(&bytes[3 * i], i, 3, s[i]);
    }
    cudaDeviceSynchronize();
    one<<<1, 1, 0, s[0]>>>(p, 0);
    one<<<1, 1, 0, s[1]>>>(p, 1);
    cudaDeviceSynchronize();

    char back[12];
    unsigned sums[4];
    cudaMemcpy(back, bytes, sizeof back, cudaMemcpyDeviceToHost);
    cudaMemcpy(sums, bins, sizeof sums, cudaMemcpyDeviceToHost);
    printf("%g %g %d %d %u\n", host[0], host[4 * N - 1], back[0], back[11], sums[0]);
    cudaFree(p);
    cudaFree(bytes);
    cudaFree(m);
    cudaFree(table);
    cudaFree(bins);
    return 0;
}
