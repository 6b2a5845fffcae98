// A stream that does not wait for the default stream: a fill there need not be done when the kernel starts, and
// here it is not.
// revisions: blocking non_blocking waited
#include <stdio.h>

__global__ void count(int *p) {
    atomicAdd(p, 1);
    //[non_blocking]~^ RELATED global-race
    //[non_blocking]~^^ ERROR uninitialized-read
}

int main() {
    int *p, n = 0;
    cudaStream_t s;
    cudaMalloc(&p, sizeof(int)); //[non_blocking]~ RELATED uninitialized-read
#ifdef REV_blocking
    cudaStreamCreate(&s);
#else
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
#endif
    cudaMemset(p, 0, sizeof(int)); //[non_blocking]~ ERROR global-race: `cudaMemset` in the default stream writes 4 bytes
#ifdef REV_waited
    cudaDeviceSynchronize();
#endif
    count<<<1, 1, 0, s>>>(p); //[non_blocking]~ RELATED global-race
    cudaStreamSynchronize(s);
    cudaMemcpy(&n, p, sizeof n, cudaMemcpyDeviceToHost);
    printf("%d\n", n);
    cudaFree(p);
    return 0;
}
