// A local that only one branch sets, used by a branch condition; the near miss never uses it unset.
// revisions: unset set
#include <stdio.h>

__global__ void choose(int n, int *out) {
    int x;
    if (n > 3) x = n;
#ifdef REV_set
    if (n > 3)
#endif
    if (x > 0) *out = 1; //[unset]~ ERROR uninitialized-read
}

int main() {
    int *dev, host = 0;
    cudaMalloc(&dev, sizeof(int));
    cudaMemset(dev, 0, sizeof(int));
    choose<<<1, 1>>>(2, dev);
    cudaMemcpy(&host, dev, sizeof(int), cudaMemcpyDeviceToHost);
#ifdef REV_set
    printf("%d\n", host);
#endif
    cudaFree(dev);
    return 0;
}
