// Memory that one stream frees while a kernel of another may still be at it; and a use behind the free.
// revisions: right unordered behind
#include <stdio.h>

__global__ void fill(int *p) {
    p[threadIdx.x] = 1;
    //[unordered]~^ RELATED global-race
    //[behind]~^^ ERROR use-after-free
}

int main() {
    int *p;
    cudaStream_t s, t;
    cudaEvent_t done;
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&done);
    cudaMallocAsync(&p, 32 * sizeof(int), s); //[behind]~ RELATED use-after-free
#ifndef REV_behind
    fill<<<1, 32, 0, s>>>(p); //[unordered]~ RELATED global-race
#endif
#ifdef REV_right
    cudaEventRecord(done, s);
    cudaStreamWaitEvent(t, done, 0);
#endif
    cudaFreeAsync(p, t);
    //[unordered]~^ ERROR global-race: `cudaFreeAsync` in stream 2 frees
    //[behind]~^^ RELATED use-after-free
#ifdef REV_behind
    fill<<<1, 32, 0, t>>>(p);
#endif
    cudaDeviceSynchronize();
    return 0;
}
