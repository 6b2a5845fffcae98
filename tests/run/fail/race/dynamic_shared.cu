// Two arrays carved from dynamic shared memory: apart they are fine, overlapping by one element they race.
// revisions: apart overlapping
#include <stdio.h>

#ifdef REV_apart
#define SECOND 8
#else
#define SECOND 7
#endif

__global__ void two(int *out) {
    extern __shared__ int parts[];
    int *first = parts, *second = parts + SECOND;
    int t = threadIdx.x;
    first[t] = t; //[overlapping]~ RELATED shared-race
    second[t] = 10 + t; //[overlapping]~ ERROR shared-race
    __syncthreads();
    out[t] = first[t] + second[t];
}

int main() {
    int *dev, host[8];
    cudaMalloc(&dev, sizeof host);
    two<<<1, 8, 16 * sizeof(int)>>>(dev);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
#ifdef REV_apart
    printf("%d %d\n", host[0], host[7]);
#endif
    cudaFree(dev);
    return 0;
}
