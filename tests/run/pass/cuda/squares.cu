// Squares of the first numbers, more threads than elements.
#include <stdio.h>
#include <stdlib.h>

__global__ void square(float *values, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) values[i] = values[i] * values[i];
}

int main(void) {
    const int count = 10;
    size_t size = count * sizeof(float);
    float *host = (float *)malloc(size), *dev;
    cudaMalloc((void **)&dev, size);
    for (int i = 0; i < count; i++) host[i] = (float)i;
    cudaMemcpy(dev, host, size, cudaMemcpyHostToDevice);
    int block = 4;
    int blocks = count / block + (count % block == 0 ? 0 : 1);
    square<<<blocks, block>>>(dev, count);
    cudaMemcpy(host, dev, size, cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; i++) printf("%d %f\n", i, host[i]);
    free(host);
    cudaFree(dev);
    return 0;
}
