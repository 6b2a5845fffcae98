// Whether a thread reaches the barrier depends on data; here the data let all of them through, so nothing
// happens in this run.
// revisions: all some
#include <stdio.h>

__global__ void guarded(const int *flags, int *out) {
    int t = threadIdx.x;
    if (flags[t]) {
        out[t] = t;
        __syncthreads(); //[some]~ ERROR barrier-divergence
        out[t] += 1;
    }
    __syncthreads();
}

int main() {
    int flags[16], *dev_flags, *dev, host[16];
    for (int i = 0; i < 16; ++i) {
#ifdef REV_all
        flags[i] = 1;
#else
        flags[i] = i != 3;
#endif
    }
    cudaMalloc(&dev_flags, sizeof flags);
    cudaMalloc(&dev, sizeof host);
    cudaMemset(dev, 0, sizeof host);
    cudaMemcpy(dev_flags, flags, sizeof flags, cudaMemcpyHostToDevice);
    guarded<<<1, 16>>>(dev_flags, dev);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
#ifdef REV_all
    printf("%d %d\n", host[0], host[15]);
#endif
    cudaFree(dev_flags);
    cudaFree(dev);
    return 0;
}
