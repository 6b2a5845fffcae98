// The driver interface beside the runtime: devices, contexts, memory, streams, errors; both use one context.
#include <cstdio>
#include <cstring>
#include <cuda.h>

__global__ void add(int* p, int n) { p[threadIdx.x] += n; }

#define CHECK(call)                                                                                    \
    do {                                                                                               \
        CUresult error = call;                                                                         \
        const char* name;                                                                              \
        if (error != CUDA_SUCCESS) {                                                                   \
            cuGetErrorName(error, &name);                                                              \
            printf("%s\n", name);                                                                      \
        }                                                                                              \
    } while (0)

int main() {
    CUdevice device, other;
    CUcontext context, current;
    int count, major, threads;
    char name[64];
    size_t total;
    CHECK(cuInit(0));
    CHECK(cuDeviceGetCount(&count));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDeviceGet(&other, 99));
    CHECK(cuDeviceGetName(name, sizeof name, device));
    CHECK(cuDeviceTotalMem(&total, device));
    CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    CHECK(cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device));
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    printf("%d %d %d %d %d\n", count, strcmp(name, properties.name), total == properties.totalGlobalMem,
           major == properties.major, threads);
    CHECK(cuCtxCreate(&context, 0, device));
    CHECK(cuCtxGetCurrent(&current));
    printf("%d\n", context == current);

    int host[32];
    for (int i = 0; i < 32; i++)
        host[i] = i;
    CUdeviceptr memory;
    CUstream stream;
    CHECK(cuMemAlloc(&memory, sizeof host));
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuMemcpyHtoDAsync(memory, host, sizeof host, stream));
    add<<<1, 32, 0, stream>>>((int*)memory, 100);
    CHECK(cuMemcpyDtoHAsync(host, memory, sizeof host, stream));
    CHECK(cuStreamSynchronize(stream));
    printf("%d %d\n", host[0], host[31]);
    CHECK(cuMemsetD8(memory, 1, 4));
    CHECK(cuMemcpyDtoH(host, memory, 4));
    printf("%x\n", host[0]);
    CHECK(cuMemAlloc(&memory, 0));
    CHECK(cuMemFree(memory));
    CHECK(cuStreamDestroy(stream));
    CHECK(cuCtxDestroy(context));
    return 0;
}
