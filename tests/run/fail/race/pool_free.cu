// `cudaFree` waits for all work, but not where the memory is from a pool.
// revisions: early copied waited event other
#include <cstdio>

__global__ void fill(int *p) { p[threadIdx.x] = 1; } //[early]~ RELATED global-race

int main() {
    cudaStream_t s;
    cudaEvent_t done;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaEventCreate(&done);
    int *p, h[32];
#ifdef REV_other
    cudaMalloc(&p, 32 * sizeof(int));
#else
    cudaMallocAsync(&p, 32 * sizeof(int), s);
#endif
#ifdef REV_copied
    cudaMemsetAsync(p, 0, sizeof h, s); //[copied]~ RELATED global-race
#else
    fill<<<1, 32, 0, s>>>(p); //[early]~ RELATED global-race
#endif
    cudaEventRecord(done, s);
#ifdef REV_waited
    cudaMemcpyAsync(h, p, sizeof h, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
#endif
#ifdef REV_event
    cudaEventSynchronize(done);
#endif
    printf("%s\n", cudaGetErrorName(cudaFree(p)));
    //[early]~^ ERROR global-race: `cudaFree` frees
    //[copied]~^^ ERROR global-race: `cudaFree` frees
    cudaEventDestroy(done);
    cudaStreamDestroy(s);
}
