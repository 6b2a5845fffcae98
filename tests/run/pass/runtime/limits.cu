// Limits: what is rounded, what is raised to the least that there is, what is refused.
#include <cstdio>

static void set(const char *what, cudaLimit limit, size_t wanted) {
    cudaError_t e = cudaDeviceSetLimit(limit, wanted);
    size_t got = 77;
    cudaDeviceGetLimit(&got, limit);
    printf("%s %zu: %s %zu\n", what, wanted, cudaGetErrorName(e), got);
}

int main() {
    for (size_t bytes : {0, 1, 1024, 1030, 65536, 262144, 524288, 1 << 30}) set("stack", cudaLimitStackSize, bytes);
    set("stack", cudaLimitStackSize, 1024);
    for (size_t bytes : {0, 1, 4194304, 5000000, 1 << 30}) set("heap", cudaLimitMallocHeapSize, bytes);
    // There is less than a pebibyte, and the heap gets what there is.
    size_t got = 0;
    printf("heap: %s", cudaGetErrorName(cudaDeviceSetLimit(cudaLimitMallocHeapSize, (size_t)1 << 50)));
    cudaDeviceGetLimit(&got, cudaLimitMallocHeapSize);
    printf(" %d\n", got >= (size_t)1 << 30 && got < (size_t)1 << 50);
    for (size_t bytes : {0, 1, 5000, 1 << 20, 8 << 20}) set("printf", cudaLimitPrintfFifoSize, bytes);

    // Some are only for other devices, some only to be asked for.
    for (int limit = 3; limit < 12; limit++) {
        got = 77;
        printf("limit %d: %s", limit, cudaGetErrorName(cudaDeviceGetLimit(&got, (cudaLimit)limit)));
        printf(" %zu, set again: %s\n", got, cudaGetErrorName(cudaDeviceSetLimit((cudaLimit)limit, got)));
    }
}
