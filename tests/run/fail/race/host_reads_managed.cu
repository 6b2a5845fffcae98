// The host reads what a kernel writes to managed memory, and has not waited for it.
// revisions: waited early destroyed
#include <stdio.h>

__global__ void square(int *p) {
    p[threadIdx.x] *= p[threadIdx.x];
    //[early]~^ RELATED global-race
    //[destroyed]~^^ RELATED global-race
}

int main() {
    int *p;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMallocManaged(&p, 32 * sizeof(int));
    for (int i = 0; i < 32; ++i) p[i] = i;
    square<<<1, 32, 0, s>>>(p);
    //[early]~^ RELATED global-race
    //[destroyed]~^^ RELATED global-race
#ifdef REV_waited
    cudaStreamSynchronize(s);
#endif
#ifdef REV_destroyed
    cudaStreamDestroy(s);
#endif
    int x = p[3];
    //[early]~^ ERROR global-race: the host reads 4 bytes of `p` that `square` in stream 1 writes
    //[destroyed]~^^ ERROR global-race: has not waited for it
    printf("%d\n", x < 32);
    cudaFree(p);
    return 0;
}
