#include <stdio.h>

__global__ void sum(const int *in, int *out) {
    __shared__ int parts[256];
    int t = threadIdx.x;
    parts[t] = in[t];
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            parts[t] += parts[t + half];
        __syncthreads();
    }
    if (t == 0)
        *out = parts[0];
}

int main() {
    int host[256], *in, *out, total;
    for (int i = 0; i < 256; i++)
        host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<1, 256>>>(in, out);
    cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost);
    printf("%d\n", total);
    cudaFree(in);
    cudaFree(out);
}
