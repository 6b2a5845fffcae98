// Races are found by the byte: neighbouring bytes of one word are different places.
// revisions: apart same
#include <stdio.h>

__global__ void touch(int *out) {
    __shared__ union { unsigned char bytes[8]; unsigned words[2]; } u;
    int t = threadIdx.x;
#ifdef REV_apart
    u.bytes[t] = t;
#else
    u.bytes[t / 2] = t; //[same]~ ERROR shared-race
    if (t < 4) u.bytes[t + 4] = t;
#endif
    __syncthreads();
    if (t == 0) *out = u.words[0] != 0 && u.words[1] != 0;
}

int main() {
    int *dev, host;
    cudaMalloc(&dev, sizeof host);
    touch<<<1, 8>>>(dev);
    cudaMemcpy(&host, dev, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host);
    cudaFree(dev);
    return 0;
}
