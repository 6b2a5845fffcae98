// Convolution of an image with 5 x 5 taps; elements beyond the edge are those of the edge.
#include <cuda_runtime.h>
#include "inputs.h"

__global__ void convolve(const float *in, const float *taps, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0.0f;
    for (int j = -CONVOLVE_RADIUS; j <= CONVOLVE_RADIUS; j++)
        for (int i = -CONVOLVE_RADIUS; i <= CONVOLVE_RADIUS; i++) {
            int sx = min(max(x + i, 0), n - 1), sy = min(max(y + j, 0), n - 1);
            sum += in[sy * n + sx] * taps[(j + CONVOLVE_RADIUS) * (2 * CONVOLVE_RADIUS + 1) + i + CONVOLVE_RADIUS];
        }
    out[y * n + x] = sum;
}

int main(void)
{
    int n = CONVOLVE_SIZE;
    float *h = floats_random(n * n), *t = floats_random(CONVOLVE_TAPS), *in, *taps, *out;
    cudaMalloc(&in, n * n * sizeof(float));
    cudaMalloc(&taps, CONVOLVE_TAPS * sizeof(float));
    cudaMalloc(&out, n * n * sizeof(float));
    cudaMemcpy(in, h, n * n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(taps, t, CONVOLVE_TAPS * sizeof(float), cudaMemcpyHostToDevice);
    BENCH {
        bench_begin();
        convolve<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(in, taps, out, n);
        cudaDeviceSynchronize();
        bench_end();
    }
    cudaMemcpy(h, out, n * n * sizeof(float), cudaMemcpyDeviceToHost);
    print_floats("convolve", h, n * n);
    cudaFree(in);
    cudaFree(taps);
    cudaFree(out);
    free(h);
    free(t);
    return 0;
}
