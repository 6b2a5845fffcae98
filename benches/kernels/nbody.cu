// All-pairs forces on 2048 bodies, positions in tiles of shared memory.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>
#include "bench.h"

#define BLOCK 256

__global__ void nbody(const float *px, const float *py, const float *pz, float *ax, float *ay, float *az, int n)
{
    __shared__ float sx[BLOCK], sy[BLOCK], sz[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    float x = px[i], y = py[i], z = pz[i], fx = 0.0f, fy = 0.0f, fz = 0.0f;
    for (int tile = 0; tile < n; tile += BLOCK) {
        sx[threadIdx.x] = px[tile + threadIdx.x];
        sy[threadIdx.x] = py[tile + threadIdx.x];
        sz[threadIdx.x] = pz[tile + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < BLOCK; j++) {
            float dx = sx[j] - x, dy = sy[j] - y, dz = sz[j] - z;
            float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
            float inv = 1.0f / sqrtf(d2);
            float f = inv * inv * inv;
            fx += dx * f;
            fy += dy * f;
            fz += dz * f;
        }
        __syncthreads();
    }
    ax[i] = fx;
    ay[i] = fy;
    az[i] = fz;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2048;
    size_t bytes = n * sizeof(float);
    float *h = (float *)malloc(3 * bytes);
    for (int i = 0; i < 3 * n; i++)
        h[i] = (float)((i * 7919) % 1000) * 0.01f;
    float *d[6];
    for (int i = 0; i < 6; i++)
        cudaMalloc(&d[i], bytes);
    for (int i = 0; i < 3; i++)
        cudaMemcpy(d[i], h + i * n, bytes, cudaMemcpyHostToDevice);
    BENCH {
        bench_begin();
        nbody<<<n / BLOCK, BLOCK>>>(d[0], d[1], d[2], d[3], d[4], d[5], n);
        cudaDeviceSynchronize();
        bench_end();
    }
    for (int i = 0; i < 3; i++)
        cudaMemcpy(h + i * n, d[3 + i], bytes, cudaMemcpyDeviceToHost);
    double sum = 0.0;
    for (int i = 0; i < 3 * n; i++)
        sum += h[i] < 0 ? -h[i] : h[i];
    printf("nbody %.1f\n", sum);
    for (int i = 0; i < 6; i++)
        cudaFree(d[i]);
    free(h);
    return 0;
}
