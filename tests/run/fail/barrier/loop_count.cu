// Threads go round a loop with a barrier a different number of times; the near miss goes round equally often.
// revisions: equal different
#include <stdio.h>

__global__ void rounds(int *out, int n) {
    __shared__ int box[8];
    int t = threadIdx.x;
    box[t] = 0;
#ifdef REV_equal
    int times = n;
#else
    int times = n + t % 2;
#endif
    for (int i = 0; i < times; ++i) {
        box[t] += i;
        __syncthreads(); //[different]~ ERROR barrier-divergence
    }
    __syncthreads();
    out[t] = box[t];
}

int main() {
    int *dev, host[8];
    cudaMalloc(&dev, sizeof host);
    rounds<<<1, 8>>>(dev, 5);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
#ifdef REV_equal
    printf("%d %d\n", host[0], host[7]);
#endif
    cudaFree(dev);
    return 0;
}
