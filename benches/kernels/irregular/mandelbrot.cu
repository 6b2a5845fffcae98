// Mandelbrot set: a loop per thread that ends at different turns. Products are rounded apart (`__fmul_rn`), so that
// all programs count the same turns.
#include <cuda_runtime.h>
#include "inputs.h"

__global__ void mandelbrot(int *out, int n, int most)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    float cx = px * (3.0f / 512) - 2.0f, cy = py * (3.0f / 512) - 1.125f, x = 0.0f, y = 0.0f;
    int i = 0;
    for (; i < most; i++) {
        float xx = __fmul_rn(x, x), yy = __fmul_rn(y, y), xy = __fmul_rn(x, y);
        if (xx + yy > 4.0f)
            break;
        x = xx - yy + cx;
        y = xy + xy + cy;
    }
    out[py * n + px] = i;
}

int main(void)
{
    int n = MANDELBROT_SIZE, *out = (int *)malloc(n * n * sizeof(int)), *d;
    cudaMalloc(&d, n * n * sizeof(int));
    BENCH {
        bench_begin();
        mandelbrot<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(d, n, MANDELBROT_MOST);
        cudaDeviceSynchronize();
        bench_end();
    }
    cudaMemcpy(out, d, n * n * sizeof(int), cudaMemcpyDeviceToHost);
    print_ints("mandelbrot", out, n * n);
    cudaFree(d);
    free(out);
    return 0;
}
