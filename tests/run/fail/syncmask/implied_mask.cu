// The warp functions of before CUDA 9 take the lanes that happen to be there; devices from 7.0 on lack them.
// revisions: new old
//[old] flags: -arch=sm_60
#include <cstdio>

__global__ void sum(int *out) {
    int v = threadIdx.x;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down(v, d); //~ WARNING sync-mask: without a mask
    if (__any(v > 3))           //~ WARNING sync-mask: without a mask
        v += __ballot(1) != 0;  //~ WARNING sync-mask: without a mask
    if (threadIdx.x == 0) *out = v;
}

// Whoever asks which lanes are there says so.
__global__ void asked(int *out) {
    int v = __shfl_down_sync(__activemask(), (int)threadIdx.x, 1);
    if (__any_sync(0xffffffff, v > 3) && threadIdx.x == 0) *out = v;
}

int main() {
    int *out;
    cudaMallocManaged(&out, sizeof *out);
    sum<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", *out);
    asked<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", *out);
    cudaFree(out);
}
