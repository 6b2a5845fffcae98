// Code for a newer device than there is: no launch finds it.
// flags: --device V100 -arch=sm_90
#include <cstdio>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__global__ void kernel(int *p) { *p = 1; }

int main() {
    int *d;
    cudaMalloc(&d, 4);
    void *args[] = {&d};
    SAY(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(1), args, 0, 0)); //~ ERROR invalid-launch: the launch of `kernel` on Tesla V100-SXM2-16GB: the code is 
    cudaLaunchConfig_t config = {};
    SAY(cudaLaunchKernelExC(&config, (const void *)kernel, args));
    SAY(cudaLaunchCooperativeKernel((const void *)kernel, dim3(1), dim3(1), args, 0, 0));
    cudaFree(d);
}
