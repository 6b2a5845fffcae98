// An image of a size that only the run knows: each access is an element of its own, and inside of the array. Near misses:
// tests/check/fail/host/image.cu.
// flags: --verdicts --strict
#include <cstdlib>

__global__ void blur(const float *in, float *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    float sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int px = x + dx, py = y + dy;
            if (px >= 0 && px < w && py >= 0 && py < h)
                sum += in[py * w + px];
        }
    out[y * w + x] = sum / 9;
}

int main(int argc, char **argv) {
    int w = atoi(argv[1]), h = atoi(argv[2]);
    float *in, *out;
    cudaMalloc(&in, w * h * sizeof(float));
    cudaMalloc(&out, w * h * sizeof(float));
    cudaMemset(in, 0, w * h * sizeof(float));
    blur<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(in, out, w, h);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
