// Calls of the driver interface that programs on the runtime mix in: results and errors.
#include <cstdio>
#include <cuda.h>

static const char *named(CUresult e) {
    const char *name = "?";
    return cuGetErrorName(e, &name) == CUDA_SUCCESS ? name : "unknown";
}
#define SAY(call) printf("%s: %s\n", #call, named(call))

__global__ void add(int *p, int n) { *p += n; }

int main() {
    int version = 0, major = 0, minor = 0, peer = -1;
    SAY(cuInit(0));
    SAY(cuInit(1));
    SAY(cuDriverGetVersion(&version));
    SAY(cuDriverGetVersion(nullptr));
    CUdevice device = 9;
    SAY(cuDeviceGet(&device, 0));
    SAY(cuDeviceComputeCapability(&major, &minor, device));
    SAY(cuDeviceCanAccessPeer(&peer, device, device));
    printf("%d, %d.%d, %d\n", version, major, minor, peer);

    CUcontext primary, current = nullptr, popped = nullptr;
    SAY(cuDevicePrimaryCtxRetain(&primary, device));
    SAY(cuCtxSetCurrent(primary));
    SAY(cuCtxGetCurrent(&current));
    SAY(cuCtxGetDevice(&device));
    printf("%d, device %d\n", primary == current, device);
    SAY(cuCtxPushCurrent(primary));
    SAY(cuCtxPopCurrent(&popped));
    printf("%d\n", popped == primary);

    size_t room = 0, total = 0;
    SAY(cuMemGetInfo(&room, &total));
    printf("%d\n", room > 0 && room <= total);
    int *pinned, host = 0;
    CUdeviceptr managed, memory;
    SAY(cuMemAllocHost((void **)&pinned, 64));
    SAY(cuMemFreeHost(pinned));
    SAY(cuMemHostAlloc((void **)&pinned, 64, CU_MEMHOSTALLOC_PORTABLE));
    SAY(cuMemFreeHost(pinned));
    SAY(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
    SAY(cuMemAlloc(&memory, 64));
    CUstream stream;
    CUevent before, after;
    SAY(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
    SAY(cuEventCreate(&before, CU_EVENT_DEFAULT));
    SAY(cuEventCreate(&after, CU_EVENT_DEFAULT));
    SAY(cuEventRecord(before, stream));
    SAY(cuMemsetD8Async(memory, 3, 64, stream));
    add<<<1, 1, 0, stream>>>((int *)memory, 1);
    SAY(cuEventRecord(after, stream));
    SAY(cuEventSynchronize(after));
    SAY(cuStreamWaitEvent(stream, after, 0));
    SAY(cuStreamSynchronize(stream));
    SAY(cuStreamQuery(stream));
    float ms = -1;
    SAY(cuEventElapsedTime(&ms, before, after));
    SAY(cuMemcpyDtoH(&host, memory, sizeof host));
    printf("%x, took time: %d\n", host, ms > 0);
    *(int *)managed = 41;
    add<<<1, 1>>>((int *)managed, 1);
    SAY(cuCtxSynchronize());
    printf("%d\n", *(int *)managed);

    const char *text = nullptr;
    SAY(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
    printf("%s\n", text);
    SAY(cuGetErrorString((CUresult)54321, &text));
    SAY(cuStreamDestroy(stream));
    SAY(cuEventDestroy(before));
    SAY(cuEventDestroy(after));
    SAY(cuMemFree(memory));
    SAY(cuMemFree(managed));
    SAY(cuDevicePrimaryCtxRelease(device));
}
