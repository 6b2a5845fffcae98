// A call that fails and that nobody asks about, an error where there is no room for what it asks; the near misses ask, by
// the call's result or by the last error.
// revisions: unchecked result last
#include <stdio.h>

int main() {
    void *p = NULL;
#if defined(REV_unchecked)
    cudaMalloc(&p, (size_t)1 << 60); //[unchecked]~ ERROR api-error
#elif defined(REV_result)
    if (cudaMalloc(&p, (size_t)1 << 60) != cudaSuccess) cudaGetLastError();
#else
    cudaMalloc(&p, (size_t)1 << 60);
    if (cudaGetLastError() == cudaErrorMemoryAllocation) p = NULL;
#endif
    printf("%d\n", p == NULL);
    return 0;
}
