// Batches of copies: on the default stream, of bytes that are not there, and of copies that hang on each other.
// revisions: good default past chain same
#include <cstdio>

int main() {
    cudaStream_t s;
    cudaStreamCreate(&s);
    char* d;
    cudaMalloc(&d, 64);
    cudaMemset(d, 1, 64);
    void* dsts[] = {d, d + 32};
    void* srcs[] = {d + 16, d + 48};
    size_t sizes[] = {16, 16}, first = 0, failed = 9;
#ifdef REV_past
    sizes[1] = 17;
#elif defined(REV_chain)
    srcs[1] = d + 8;
#elif defined(REV_same)
    dsts[1] = d + 15;
    sizes[0] = 16, sizes[1] = 1;
#endif
    cudaMemcpyAttributes attrs = {};
    attrs.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
#ifdef REV_default
    cudaError_t e = cudaMemcpyBatchAsync(dsts, srcs, sizes, 2, &attrs, &first, 1, &failed, 0); //[default]~ ERROR api-error: legacy default stream
#else
    cudaDeviceSynchronize();
    cudaError_t e = cudaMemcpyBatchAsync(dsts, srcs, sizes, 2, &attrs, &first, 1, &failed, s);
    //[past]~^ ERROR out-of-bounds
    //[chain]~^^ ERROR undefined-behavior: copies 0 and 1 of a batch
    //[same]~^^^ ERROR undefined-behavior: copies 0 and 1 of a batch
#endif
    printf("%s %lld\n", cudaGetErrorName(e), (long long)failed);
    cudaStreamSynchronize(s);
    cudaFree(d);
    cudaStreamDestroy(s);
}
