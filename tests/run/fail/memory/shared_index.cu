// Indices of shared arrays: static and dynamic, past the end and before the start.
// revisions: fine past before dynamic
#include <stdio.h>

__global__ void touch(int *out, int offset) {
    extern __shared__ int dynamic[];
    __shared__ int fixed[8];
    int t = threadIdx.x;
    fixed[t] = t;
    dynamic[t] = t;
    __syncthreads();
#if defined(REV_dynamic)
    out[t] = dynamic[t + offset]; //[dynamic]~ ERROR out-of-bounds
#else
    out[t] = fixed[t + offset]; //[past,before]~ ERROR out-of-bounds
#endif
}

int main() {
#if defined(REV_fine)
    int offset = 0;
#elif defined(REV_before)
    int offset = -1;
#else
    int offset = 1;
#endif
    int *dev, host[8];
    cudaMalloc(&dev, sizeof host);
    touch<<<1, 8, 8 * sizeof(int)>>>(dev, offset);
    cudaError_t error = cudaDeviceSynchronize();
#if defined(REV_fine)
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
    printf("%s %d\n", cudaGetErrorName(error), host[7]);
#else
    (void)error;
#endif
    cudaFree(dev);
    return 0;
}
