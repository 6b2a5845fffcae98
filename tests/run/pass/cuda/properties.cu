// Devices, properties, versions, limits and error strings.
#include <stdio.h>
#include <string.h>

int main() {
    int count = 0, current = -1;
    printf("%s\n", cudaGetErrorName(cudaGetDeviceCount(&count)));
    cudaGetDevice(&current);
    printf("at least one device: %d, current: %d\n", count >= 1, current);

    cudaDeviceProp p;
    memset(&p, 0, sizeof p);
    cudaGetDeviceProperties(&p, 0);
    printf("name: %d, warp: %d, threads per block: %d\n", strlen(p.name) > 0, p.warpSize, p.maxThreadsPerBlock);
    printf("block: %d %d %d\n", p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2]);
    printf("grid: %d %d %d\n", p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2]);
    printf("shared: %zu, constant: %zu, registers: %d\n", p.sharedMemPerBlock, p.totalConstMem, p.regsPerBlock);
    printf("modern: %d, has memory: %d, processors: %d, clock: %d\n", p.major >= 7, p.totalGlobalMem > 0,
           p.multiProcessorCount > 0, p.clockRate > 0);

    int value = 0;
    cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0);
    printf("attribute: %d\n", value);
    cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0);
    printf("attribute: %d\n", value);
    cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0);
    printf("agrees: %d\n", value == p.major);

    int driver = 0, runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    printf("runtime: %d, driver not older: %d, header: %d\n", runtime, driver >= runtime, CUDART_VERSION);

    size_t limit = 0;
    cudaDeviceGetLimit(&limit, cudaLimitStackSize);
    printf("stack: %zu\n", limit);
    cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize);
    printf("printf: %d\n", limit > 0);
    cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
    printf("heap: %zu\n", limit);
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20);
    cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
    printf("heap: %zu\n", limit);

    size_t free_bytes = 0, total = 0;
    cudaMemGetInfo(&free_bytes, &total);
    printf("memory: %d\n", free_bytes > 0 && free_bytes <= total);

    printf("%s | %s\n", cudaGetErrorName(cudaSuccess), cudaGetErrorString(cudaSuccess));
    printf("%s | %s\n", cudaGetErrorName(cudaErrorInvalidValue), cudaGetErrorString(cudaErrorInvalidValue));
    printf("%s | %s\n", cudaGetErrorName(cudaErrorMemoryAllocation),
           cudaGetErrorString(cudaErrorMemoryAllocation));
    printf("%s | %s\n", cudaGetErrorName(cudaErrorIllegalAddress),
           cudaGetErrorString(cudaErrorIllegalAddress));
    printf("%s | %s\n", cudaGetErrorName((cudaError_t)12345), cudaGetErrorString((cudaError_t)12345));
    printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
    return 0;
}
