// Division by zero, on the host and in a kernel; floating point divides without harm.
// revisions: host kernel fine
#include <stdio.h>

__global__ void divide(int a, int b, int *out) {
    *out = a / b; //[kernel]~ ERROR undefined-behavior
}

int main(int argc, char **) {
    int zero = argc - 1, *dev, host = 0;
#if defined(REV_host)
    printf("%d\n", 5 % zero); //[host]~ ERROR undefined-behavior
#endif
    cudaMalloc(&dev, sizeof(int));
#ifdef REV_kernel
    divide<<<1, 1>>>(7, zero, dev);
#else
    divide<<<1, 1>>>(7, zero + 2, dev);
#endif
    cudaMemcpy(&host, dev, sizeof(int), cudaMemcpyDeviceToHost);
#ifdef REV_fine
    double d = zero;
    printf("%d %g %g\n", host, 1 / d, -1 / d);
#endif
    cudaFree(dev);
    return 0;
}
