#include <stdio.h>

__global__ void reverse(int *data, int n) {
    __shared__ int copy[64];
    int t = threadIdx.x;
    if (t < n) {
        copy[t] = data[t];
        __syncthreads(); //~ WARNING barrier-divergence
        data[t] = copy[n - 1 - t];
    }
}

int main() {
    const int n = 40;
    int host[n], *data;
    for (int i = 0; i < n; i++)
        host[i] = i;
    cudaMalloc(&data, sizeof host);
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    reverse<<<1, 64>>>(data, n);
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
    cudaFree(data);
}
