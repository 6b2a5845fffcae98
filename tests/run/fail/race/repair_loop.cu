// Where a barrier belongs that is missing in a loop: between two statements, at the end, at both places, in braces.
// revisions: right between end both unbraced scan
#include <stdio.h>

__global__ void k(int *out) {
    __shared__ int box[64];
    int t = threadIdx.x, sum = 0;
#if defined REV_unbraced
    box[t] = t;
    __syncthreads();
    for (int half = 32; half > 0; half /= 2)
        if (t < half) box[t] += box[t + half]; //[unbraced]~ ERROR shared-race
    __syncthreads();
    sum = box[0];
#elif defined REV_scan
    box[t] = t;
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
        box[t] += box[t / step * step]; //[scan]~ ERROR shared-race
        __syncthreads();
    }
    sum = box[t];
#else
    box[t] = 0;
    __syncthreads();
    for (int i = 0; i < 3; ++i) {
        box[t] = i; //[between,end,both]~ RELATED shared-race
#if defined REV_right || defined REV_end
        __syncthreads();
#endif
        sum += box[63 - t]; //[between,end,both]~ ERROR shared-race
#if defined REV_right || defined REV_between
        __syncthreads();
#endif
    }
#endif
    out[t] = sum;
}

int main() {
    int *dev, host[64];
    cudaMalloc(&dev, sizeof host);
    k<<<1, 64>>>(dev);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
#ifdef REV_right
    printf("%d\n", host[5]);
#endif
    cudaFree(dev);
    return 0;
}
