#include <stdio.h>

// One warp, "so no barrier is needed": that was true before Volta.
__global__ void sum_warp(const int *in, int *out) {
    __shared__ volatile int parts[32];
    int t = threadIdx.x;
    parts[t] = in[t];
    for (int half = 16; half > 0; half /= 2) {
        if (t < half)
            parts[t] = parts[t] + parts[t + half]; //~ ERROR shared-race
        //~^ ERROR shared-race
    }
    if (t == 0)
        *out = parts[0];
}

int main() {
    int host[32], *in, *out, total;
    for (int i = 0; i < 32; i++)
        host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    sum_warp<<<1, 32>>>(in, out);
    cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost);
    printf("%d\n", total);
    cudaFree(in);
    cudaFree(out);
}
