// A wide access at an address that is aligned for the narrow type only.
// revisions: aligned misaligned
#include <stdio.h>

__global__ void load(const float *in, float *out) {
#ifdef REV_aligned
    float4 v = *(const float4 *)(in + 4);
#else
    float4 v = *(const float4 *)(in + 1); //[misaligned]~ ERROR misaligned-access
#endif
    out[0] = v.x + v.y + v.z + v.w;
}

int main() {
    float host[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *dev, *result, sum = 0;
    cudaMalloc(&dev, sizeof host);
    cudaMalloc(&result, sizeof(float));
    cudaMemcpy(dev, host, sizeof host, cudaMemcpyHostToDevice);
    load<<<1, 1>>>(dev, result);
    cudaError_t error = cudaDeviceSynchronize();
    if (!error) cudaMemcpy(&sum, result, sizeof sum, cudaMemcpyDeviceToHost);
    printf("%s %g\n", cudaGetErrorName(error), sum);
    cudaFree(dev);
    cudaFree(result);
    return 0;
}
