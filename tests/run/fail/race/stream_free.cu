// Memory that one stream frees while a kernel of another may still be at it; a use behind the free; a use in a
// stream that does not wait for the allocation.
// revisions: right unordered behind before
#include <stdio.h>

__global__ void fill(int *p) {
    p[threadIdx.x] = 1;
    //[unordered]~^ RELATED global-race
    //[behind]~^^ ERROR use-after-free
    //[before]~^^^ ERROR global-race: `fill` in stream 2 writes `p` that `cudaMallocAsync` in stream 1 allocates
}

int main() {
    int *p;
    cudaStream_t s, t;
    cudaEvent_t done;
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&done);
    cudaMallocAsync(&p, 32 * sizeof(int), s);
    //[behind]~^ RELATED use-after-free
    //[before]~^^ RELATED global-race
#ifdef REV_before
    fill<<<1, 32, 0, t>>>(p); //[before]~ RELATED global-race
    cudaDeviceSynchronize();
#elif !defined REV_behind
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
    fill<<<1, 1, 0, t>>>(p);
#endif
    cudaDeviceSynchronize();
    return 0;
}
