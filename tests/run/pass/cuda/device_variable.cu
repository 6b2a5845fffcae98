// Device variables: initialised, static, in constant memory; the host reaches them by symbol only.
#include <stdio.h>

__device__ int counter = 5;
static __device__ float table[4] = {1.5f, 2.5f, 3.5f};
__constant__ int factors[2] = {3, 7};
__device__ struct { int a; char b[4]; } mixed = {9, {'x', 'y'}};

__global__ void use(int *out) {
    static __device__ int calls = 100;
    counter += factors[0];
    table[3] = table[0] + table[1] + table[2];
    calls += 1;
    out[0] = calls;
    out[1] = mixed.a + mixed.b[1];
}

int main() {
    int value = 0, *dev, host[2];
    float copy[4];
    cudaMalloc(&dev, sizeof host);
    use<<<1, 1>>>(dev);
    use<<<1, 1>>>(dev);
    cudaMemcpyFromSymbol(&value, counter, sizeof value);
    cudaMemcpyFromSymbol(copy, table, sizeof copy);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %g %d %d\n", value, copy[3], host[0], host[1]);

    int two[2] = {10, 20};
    cudaMemcpyToSymbol(factors, two, sizeof two);
    cudaMemcpyToSymbol(counter, &two[1], sizeof(int));
    float quarter = 0.25f;
    cudaMemcpyToSymbol(table, &quarter, sizeof quarter, 2 * sizeof(float));
    use<<<1, 1>>>(dev);
    cudaMemcpyFromSymbol(&value, counter, sizeof value);
    cudaMemcpyFromSymbol(copy, table, sizeof(float), 3 * sizeof(float));
    printf("%d %g\n", value, copy[0]);

    void *address;
    size_t size;
    cudaGetSymbolAddress(&address, table);
    cudaGetSymbolSize(&size, table);
    cudaMemcpy(copy, address, size, cudaMemcpyDeviceToHost);
    printf("%zu bytes: %g %g %g %g\n", size, copy[0], copy[1], copy[2], copy[3]);
    cudaFree(dev);
    return 0;
}
