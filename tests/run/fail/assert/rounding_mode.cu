// The narrow formats have two ways of rounding; the others are for other functions.
#include <cuda_fp4.h>
#include <cuda_fp8.h>

__global__ void narrow(const float* in, unsigned char* out, cudaRoundMode mode) {
    out[threadIdx.x] = __nv_cvt_float_to_fp4(in[threadIdx.x], __NV_E2M1, mode); //~ ERROR assertion-failed
}

int main() {
    float* in;
    unsigned char* out;
    cudaMalloc(&in, 32 * sizeof *in);
    cudaMalloc(&out, 32);
    cudaMemset(in, 0, 32 * sizeof *in);
    narrow<<<1, 32>>>(in, out, cudaRoundZero);
    narrow<<<1, 32>>>(in, out, cudaRoundNearest);
    narrow<<<1, 32>>>(in, out, cudaRoundMinInf);
    cudaDeviceSynchronize();
}
