// What `cudaFreeAsync` cannot free: it says so at once, as `cudaFree` does.
// revisions: twice waited inside freed local right
#include <cstdio>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int *p, *q;
    cudaMallocAsync(&p, 128, stream);
    cudaMalloc(&q, 128);
#ifdef REV_inside
    SAY(cudaFreeAsync(p + 1, stream)); //[inside]~ ERROR invalid-free
#endif
#ifdef REV_local
    SAY(cudaFreeAsync(&stream, stream)); //[local]~ ERROR api-error: `cudaFreeAsync` of host memory
#endif
#ifdef REV_freed
    cudaFree(q); //[freed]~ RELATED invalid-free
    SAY(cudaFreeAsync(q, stream)); //[freed]~ ERROR invalid-free
#else
    SAY(cudaFreeAsync(q, stream));
#endif
    SAY(cudaFreeAsync(p, stream)); //[waited]~ RELATED invalid-free
#ifdef REV_waited
    cudaStreamSynchronize(stream);
    SAY(cudaFreeAsync(p, stream)); //[waited]~ ERROR invalid-free
#endif
#ifdef REV_twice
    SAY(cudaFreeAsync(p, stream)); //[twice]~ ERROR api-error: `cudaFreeAsync` of memory that an earlier one frees
#endif
    SAY(cudaDeviceSynchronize());
    cudaStreamDestroy(stream);
}
