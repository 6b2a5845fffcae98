// Matrix operations of warps gone wrong: half a warp, a pitch that leads out of the matrix, a fragment without values.
// revisions: fine half pitch empty
#include <cstdio>
#include <mma.h>

using namespace nvcuda;

__global__ void multiply(const half* a, const half* b, float* c) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
#if !defined(REV_empty)
    wmma::fill_fragment(sum, 0.0f);
#endif
#if defined(REV_half)
    if (threadIdx.x < 16)
        return;
#endif
#if defined(REV_pitch)
    wmma::load_matrix_sync(fa, a, 24); //[pitch]~ ERROR out-of-bounds
#else
    wmma::load_matrix_sync(fa, a, 16); //[half]~ WARNING sync-mask: lanes that have exited
#endif
    wmma::load_matrix_sync(fb, b, 16); //[half]~ WARNING sync-mask
    wmma::mma_sync(sum, fa, fb, sum); //[empty]~ ERROR uninitialized-read
    //[half]~^ WARNING sync-mask
    wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major); //[half]~ WARNING sync-mask
}

int main() {
    half host[256];
    for (int i = 0; i < 256; i++)
        host[i] = (half)(float)(i % 3);
    half *a, *b;
    float *c, result[256];
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, sizeof host);
    cudaMalloc(&c, sizeof result);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(b, host, sizeof host, cudaMemcpyHostToDevice);
    multiply<<<1, 32>>>(a, b, c);
    cudaMemcpy(result, c, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", cudaGetLastError());
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}
