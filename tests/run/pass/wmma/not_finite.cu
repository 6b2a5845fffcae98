// An infinity times zero is no number in a sum of products, and an infinity stays one.
#include <cstdio>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

__global__ void k(float *out, float left, float right, float start) {
    __shared__ __half a[256], b[256];
    for (int i = threadIdx.x; i < 256; i += 32) {
        a[i] = __float2half(i == 3 ? left : 1.0f);
        b[i] = __float2half(i / 16 == 3 ? right : 1.0f);
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::fill_fragment(fc, start);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(out, fc, 16, wmma::mem_row_major);
}

int main() {
    float *out, inf = 1e30f * 1e30f;
    cudaMallocManaged(&out, 256 * sizeof *out);
    const float cases[][3] = {{1, 1, 0}, {inf, 0, 0}, {0, inf, 2}, {inf, 1, 0}, {1, -inf, 0}, {1, 1, inf}, {inf, 1, -inf}};
    for (auto &c : cases) {
        k<<<1, 32>>>(out, c[0], c[1], c[2]);
        cudaDeviceSynchronize();
        printf("%d %f\n", out[0] != out[0], out[0] != out[0] ? 0 : out[0]);
    }
    cudaFree(out);
}
