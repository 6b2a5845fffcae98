// Devices, limits, pools: what their functions refuse.
#include <cstdint>
#include <cstdio>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

int main() {
    int n, device = 0, wrong[2] = {0, 4};
    size_t size;
    cudaDeviceProp properties;
    SAY(cudaGetDeviceCount(nullptr));
    SAY(cudaGetDevice(nullptr));
    SAY(cudaSetDevice(1));
    SAY(cudaSetDevice(-1));
    SAY(cudaInitDevice(2, 0, 0));
    SAY(cudaInitDevice(0, 0, 0xffff));
    SAY(cudaSetValidDevices(wrong, 2));
    SAY(cudaSetValidDevices(nullptr, 1));
    SAY(cudaSetValidDevices(wrong, -1));
    SAY(cudaSetDeviceFlags(0x1000));
    SAY(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield));
    SAY(cudaGetDeviceFlags(nullptr));
    SAY(cudaChooseDevice(nullptr, &properties));
    SAY(cudaChooseDevice(&device, nullptr));
    SAY(cudaGetDeviceProperties(&properties, 3));
    SAY(cudaGetDeviceProperties(nullptr, 0));
    SAY(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 3));
    SAY(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
    SAY(cudaDeviceGetAttribute(&n, (cudaDeviceAttr)9999, 0));
    SAY(cudaDriverGetVersion(nullptr));
    SAY(cudaRuntimeGetVersion(nullptr));
    char text[16];
    SAY(cudaDeviceGetPCIBusId(nullptr, 16, 0));
    SAY(cudaDeviceGetPCIBusId(text, 4, 0));
    SAY(cudaDeviceGetPCIBusId(text, 16, 9));
    SAY(cudaDeviceGetByPCIBusId(&n, nullptr));
    SAY(cudaDeviceGetByPCIBusId(nullptr, "0000:01:00.0"));
    SAY(cudaDeviceGetByPCIBusId(&n, "0000:7f:00.0"));
    SAY(cudaDeviceGetByPCIBusId(&n, "no place"));
    const cudaLimit no_limit = (cudaLimit)77;
    SAY(cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
    SAY(cudaDeviceGetLimit(&size, no_limit));
    SAY(cudaDeviceSetLimit(no_limit, 1));
    SAY(cudaDeviceSetLimit(cudaLimitMallocHeapSize, SIZE_MAX));
    SAY(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, SIZE_MAX));
    SAY(cudaDeviceSetLimit(cudaLimitStackSize, SIZE_MAX));
    SAY(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 4096));
    SAY(cudaThreadGetLimit(nullptr, cudaLimitStackSize));
    SAY(cudaThreadGetLimit(&size, no_limit));
    SAY(cudaThreadSetLimit(no_limit, 1));
    SAY(cudaDeviceGetCacheConfig(nullptr));
    SAY(cudaDeviceSetCacheConfig((cudaFuncCache)9));
    SAY(cudaDeviceGetSharedMemConfig(nullptr));
    SAY(cudaDeviceSetSharedMemConfig((cudaSharedMemConfig)9));
    SAY(cudaDeviceGetTexture1DLinearMaxWidth(&size, nullptr, 0));
    cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    SAY(cudaDeviceGetTexture1DLinearMaxWidth(nullptr, &floats, 0));
    SAY(cudaDeviceGetTexture1DLinearMaxWidth(&size, &floats, 8));
    SAY(cudaDeviceGetStreamPriorityRange(nullptr, nullptr));
    SAY(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice, cudaFlushGPUDirectRDMAWritesToOwner));

    // Peers, of which there are none.
    SAY(cudaDeviceCanAccessPeer(&n, 0, 1));
    SAY(cudaDeviceCanAccessPeer(nullptr, 0, 0));
    SAY(cudaDeviceEnablePeerAccess(1, 0));
    SAY(cudaDeviceEnablePeerAccess(0, 0));
    SAY(cudaDeviceEnablePeerAccess(0, 7));
    SAY(cudaDeviceDisablePeerAccess(0));
    SAY(cudaDeviceDisablePeerAccess(1));
    SAY(cudaDeviceGetP2PAttribute(&n, cudaDevP2PAttrAccessSupported, 0, 1));
    SAY(cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0, 0));
    SAY(cudaDeviceGetP2PAttribute(&n, (cudaDeviceP2PAttr)99, 0, 0));

    // Pools.
    cudaMemPool_t pool = nullptr, none = (cudaMemPool_t)&n;
    void *p;
    SAY(cudaDeviceGetDefaultMemPool(nullptr, 0));
    SAY(cudaDeviceGetDefaultMemPool(&pool, 3));
    SAY(cudaDeviceGetMemPool(nullptr, 0));
    SAY(cudaDeviceGetMemPool(&pool, 3));
    SAY(cudaDeviceSetMemPool(0, none)); //~ ERROR api-error: this value is not a memory pool, or the pool was destroyed
    SAY(cudaDeviceSetMemPool(3, pool));
    SAY(cudaDeviceGetDefaultMemPool(&pool, 0));
    SAY(cudaMallocAsync((void **)nullptr, 4, 0));
    SAY(cudaMallocAsync(&p, SIZE_MAX, 0));
    SAY(cudaMallocFromPoolAsync(&p, 4, none, 0)); //~ ERROR api-error: this value is not a memory pool, or the pool was destroyed
    SAY(cudaMallocFromPoolAsync((void **)nullptr, 4, pool, 0));
    SAY(cudaMallocFromPoolAsync(&p, SIZE_MAX / 2, pool, 0));
    unsigned long long value = 1;
    SAY(cudaMemPoolTrimTo(none, 0)); //~ ERROR api-error: this value is not a memory pool, or the pool was destroyed
    SAY(cudaMemPoolTrimTo(pool, SIZE_MAX));
    SAY(cudaMemPoolSetAttribute(none, cudaMemPoolAttrReleaseThreshold, &value)); //~ ERROR api-error: this value is not a memory pool, or the pool was destroyed
    SAY(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, nullptr));
    SAY(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value));
    SAY(cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)99, &value));
    SAY(cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)99, &value));
    SAY(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, nullptr));
    cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
    SAY(cudaMemPoolSetAccess(none, &access, 1)); //~ ERROR api-error: this value is not a memory pool, or the pool was destroyed
    SAY(cudaMemPoolSetAccess(pool, nullptr, 1));
    access.flags = cudaMemAccessFlagsProtNone;
    SAY(cudaMemPoolSetAccess(pool, &access, 1));
    access.location.id = 8;
    SAY(cudaMemPoolSetAccess(pool, &access, 1));
    cudaMemAccessFlags flags;
    cudaMemLocation here = {cudaMemLocationTypeDevice, 0}, away = {cudaMemLocationTypeDevice, 8};
    SAY(cudaMemPoolGetAccess(&flags, none, &here)); //~ ERROR api-error: this value is not a memory pool, or the pool was destroyed
    SAY(cudaMemPoolGetAccess(nullptr, pool, &here));
    SAY(cudaMemPoolGetAccess(&flags, pool, &away));
    cudaMemPoolProps how = {};
    SAY(cudaMemPoolCreate(&pool, &how));
    SAY(cudaMemPoolCreate(nullptr, &how));
    SAY(cudaMemPoolCreate(&pool, nullptr));
    how.allocType = cudaMemAllocationTypePinned;
    how.location = away;
    SAY(cudaMemPoolCreate(&pool, &how));
    how.location = here;
    how.maxSize = 1 << 20;
    SAY(cudaMemPoolCreate(&pool, &how));
    SAY(cudaMallocFromPoolAsync(&p, 64 << 20, pool, 0));
    SAY(cudaMemPoolDestroy(none)); //~ ERROR api-error: this value is not a memory pool, or the pool was destroyed
    SAY(cudaMemPoolDestroy(pool));
    SAY(cudaMemPoolDestroy(pool)); //~ ERROR api-error: this value is not a memory pool, or the pool was destroyed
    SAY(cudaMallocFromPoolAsync(&p, 4, pool, 0)); //~ ERROR api-error: this value is not a memory pool, or the pool was destroyed
    cudaDeviceGetDefaultMemPool(&pool, 0);
    SAY(cudaMemPoolDestroy(pool));

    // Memory of graphs.
    SAY(cudaDeviceGetGraphMemAttribute(3, cudaGraphMemAttrUsedMemCurrent, &value));
    SAY(cudaDeviceGetGraphMemAttribute(0, (cudaGraphMemAttributeType)99, &value));
    SAY(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, nullptr));
    SAY(cudaDeviceSetGraphMemAttribute(3, cudaGraphMemAttrUsedMemHigh, &value));
    SAY(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &value));
    SAY(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, nullptr));
    SAY(cudaDeviceGraphMemTrim(3));

    // Other processes.
    cudaIpcMemHandle_t memory = {};
    cudaIpcEventHandle_t event = {};
    cudaEvent_t e;
    cudaEventCreate(&e);
    SAY(cudaIpcGetMemHandle(nullptr, &n));
    SAY(cudaIpcGetMemHandle(&memory, &n));
    SAY(cudaIpcOpenMemHandle(&p, memory, cudaIpcMemLazyEnablePeerAccess));
    SAY(cudaIpcOpenMemHandle(&p, memory, 9));
    SAY(cudaIpcOpenMemHandle(nullptr, memory, cudaIpcMemLazyEnablePeerAccess));
    SAY(cudaIpcCloseMemHandle(&n));
    SAY(cudaIpcCloseMemHandle(nullptr));
    SAY(cudaIpcGetEventHandle(&event, e));
    SAY(cudaIpcGetEventHandle(nullptr, e));
    SAY(cudaIpcGetEventHandle(&event, (cudaEvent_t)&n)); //~ ERROR api-error: this value is not an event
    SAY(cudaIpcOpenEventHandle(&e, event));
    SAY(cudaIpcOpenEventHandle(nullptr, event));
    cudaEventDestroy(e);
    SAY(cudaIpcGetEventHandle(&event, e)); //~ ERROR api-error: an event is used after `cudaEventDestroy`
}
