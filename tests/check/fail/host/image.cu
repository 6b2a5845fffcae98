// The image has a row less than the kernel writes, or its rows are shorter.
// flags: --verdicts
// revisions: rows width
#include <cstdlib>

__global__ void fill(float *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        out[y * w + x] = x; //~ WARNING out-of-bounds
}

int main(int argc, char **argv) {
    int w = atoi(argv[1]), h = atoi(argv[2]);
    float *out;
#ifdef REV_rows
    cudaMalloc(&out, w * (h - 1) * sizeof(float));
#else
    cudaMalloc(&out, (w - 1) * h * sizeof(float));
#endif
    fill<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(out, w, h);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
