// Handles for other processes: of memory and events, and what a process with no other beside it is answered.
#include <cstdio>
#include <cstring>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

int main() {
    char *d, *e, host[16];
    cudaMalloc(&d, 64);
    cudaMalloc(&e, 64);
    cudaIpcMemHandle_t one, two, other;
    SAY(cudaIpcGetMemHandle(&one, d));
    SAY(cudaIpcGetMemHandle(&two, d));
    SAY(cudaIpcGetMemHandle(&other, e));
    printf("%d %d\n", memcmp(&one, &two, sizeof one) == 0, memcmp(&one, &other, sizeof one) == 0);
    SAY(cudaIpcGetMemHandle(nullptr, d));
    SAY(cudaIpcGetMemHandle(&one, host));
    SAY(cudaIpcGetMemHandle(&one, nullptr));

    cudaEvent_t plain, shared;
    SAY(cudaEventCreateWithFlags(&shared, cudaEventInterprocess));
    SAY(cudaEventCreateWithFlags(&shared, cudaEventInterprocess | cudaEventDisableTiming));
    cudaEventCreate(&plain);
    cudaIpcEventHandle_t handle;
    SAY(cudaIpcGetEventHandle(&handle, shared));
    SAY(cudaIpcGetEventHandle(&handle, plain));

    void* p;
    SAY(cudaIpcOpenMemHandle(&p, two, 0));
    SAY(cudaIpcOpenMemHandle(nullptr, two, cudaIpcMemLazyEnablePeerAccess));
    memset(&other, 0, sizeof other);
    SAY(cudaIpcOpenMemHandle(&p, other, cudaIpcMemLazyEnablePeerAccess));
    SAY(cudaIpcCloseMemHandle(d));

    // Pools that are this process's alone.
    cudaMemPool_t pool;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    int file;
    cudaMemPoolPtrExportData data;
    SAY(cudaMemPoolExportToShareableHandle(&file, pool, cudaMemHandleTypePosixFileDescriptor, 0));
    SAY(cudaMemPoolExportPointer(&data, d));
    cudaEventDestroy(plain);
    cudaEventDestroy(shared);
    cudaFree(d);
    cudaFree(e);
}
