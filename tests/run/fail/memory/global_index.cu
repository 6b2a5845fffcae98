// One thread too many: the classic missing bounds test.
// revisions: tested untested
#include <stdio.h>

__global__ void scale(int *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef REV_tested
    if (i < n)
#endif
        data[i] *= 2; //[untested]~ ERROR out-of-bounds
}

int main() {
    int *dev, host[10];
    for (int i = 0; i < 10; ++i) host[i] = i;
    cudaMalloc(&dev, sizeof host);
    cudaMemcpy(dev, host, sizeof host, cudaMemcpyHostToDevice);
    scale<<<3, 4>>>(dev, 10);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
#ifdef REV_tested
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[9]);
#endif
    cudaFree(dev);
    return 0;
}
