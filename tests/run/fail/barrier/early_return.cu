// Threads past the end return before the barrier that the others wait at: a warning on a device that
// counts live threads, an error below compute capability 7.0 and with --strict.
// revisions: now strict
//[strict] flags: --strict
#include <stdio.h>

__global__ void scale(int *data, int n) {
    __shared__ int box[64];
    int t = threadIdx.x;
    if (t >= n) return;
    box[t] = data[t];
    __syncthreads(); //[now]~ WARNING barrier-divergence
    //[strict]~^ ERROR barrier-divergence
    data[t] = box[n - 1 - t];
}

int main() {
    int *dev, host[40];
    for (int i = 0; i < 40; ++i) host[i] = i;
    cudaMalloc(&dev, sizeof host);
    cudaMemcpy(dev, host, sizeof host, cudaMemcpyHostToDevice);
    scale<<<1, 64>>>(dev, 40);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
#ifdef REV_now
    printf("%d %d\n", host[0], host[39]);
#endif
    cudaFree(dev);
    return 0;
}
