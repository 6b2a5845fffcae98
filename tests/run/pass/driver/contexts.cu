// Devices and contexts of the driver: what comes before cuInit, the stack of contexts, the primary one, what a context
// owns, limits; and that the runtime's last error is its own.
#include <cstdio>
#include <cstring>
#include <cuda.h>

static const char *name(CUresult e) {
    const char *text = "?";
    cuGetErrorName(e, &text);
    return text;
}
#define SAY(call) printf("%s: %s\n", #call, name(call))

int main() {
    int n = 0;
    CUdevice device = -1;
    CUcontext a, b, top, primary;
    const char *text;
    SAY(cuDeviceGetCount(&n));
    SAY(cuCtxGetCurrent(&top));
    SAY(cuGraphCreate(nullptr, 0));
    SAY(cuDriverGetVersion(&n));
    printf("%d\n", n);
    SAY(cuDriverGetVersion(nullptr));
    SAY(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
    printf("%s\n", text);
    SAY(cuGetErrorString((CUresult)12345, &text));
    printf("%d\n", text == nullptr);
    SAY(cuGetErrorName((CUresult)12345, &text));
    SAY(cuGetErrorName(CUDA_SUCCESS, nullptr));
    SAY(cuInit(1));
    SAY(cuInit(0));

    // Devices.
    SAY(cuDeviceGetCount(&n));
    SAY(cuDeviceGetCount(nullptr));
    SAY(cuDeviceGet(&device, 0));
    SAY(cuDeviceGet(&device, 1));
    SAY(cuDeviceGet(&device, -1));
    SAY(cuDeviceGet(nullptr, 0));
    char small[5], large[256];
    SAY(cuDeviceGetName(large, sizeof large, device));
    SAY(cuDeviceGetName(small, sizeof small, device));
    printf("%d %zu\n", strncmp(small, large, 4), strlen(small));
    SAY(cuDeviceGetName(small, 0, device));
    SAY(cuDeviceGetName(nullptr, 4, device));
    SAY(cuDeviceGetName(small, 4, 7));
    CUuuid one, two;
    SAY(cuDeviceGetUuid(&one, device));
    SAY(cuDeviceGetUuid_v2(&two, device));
    printf("%d\n", memcmp(&one, &two, sizeof one));
    SAY(cuDeviceGetUuid(&one, 7));
    SAY(cuDeviceGetUuid(nullptr, 0));
    SAY(cuDeviceGetUuid_v2(&one, 7));
    SAY(cuDeviceGetUuid_v2(nullptr, 0));
    unsigned mask;
    SAY(cuDeviceGetLuid(large, &mask, device));
    size_t bytes;
    SAY(cuDeviceTotalMem(&bytes, device));
    SAY(cuDeviceTotalMem(nullptr, device));
    SAY(cuDeviceTotalMem(&bytes, 7));
    int major, minor;
    SAY(cuDeviceComputeCapability(&major, &minor, device));
    SAY(cuDeviceComputeCapability(&major, &minor, 7));
    SAY(cuDeviceComputeCapability(nullptr, &minor, device));
    SAY(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    printf("%d\n", n == major);
    SAY(cuDeviceGetAttribute(&n, (CUdevice_attribute)9999, device));
    SAY(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 7));
    CUdevprop properties;
    SAY(cuDeviceGetProperties(&properties, device));
    printf("%d threads, warps of %d\n", properties.maxThreadsPerBlock, properties.SIMDWidth);
    SAY(cuDeviceGetProperties(&properties, 7));
    SAY(cuDeviceGetProperties(nullptr, device));
    SAY(cuDeviceGetTexture1DLinearMaxWidth(&bytes, CU_AD_FORMAT_FLOAT, 1, device));
    SAY(cuDeviceGetTexture1DLinearMaxWidth(&bytes, CU_AD_FORMAT_FLOAT, 3, device));
    SAY(cuDeviceGetTexture1DLinearMaxWidth(&bytes, CU_AD_FORMAT_FLOAT, 1, 7));
    SAY(cuDeviceGetExecAffinitySupport(&n, CU_EXEC_AFFINITY_TYPE_SM_COUNT, device));
    printf("%d\n", n);
    SAY(cuDeviceGetExecAffinitySupport(&n, CU_EXEC_AFFINITY_TYPE_SM_COUNT, 7));
    SAY(cuDeviceGetExecAffinitySupport(nullptr, CU_EXEC_AFFINITY_TYPE_SM_COUNT, device));
    char bus[16];
    SAY(cuDeviceGetPCIBusId(bus, sizeof bus, device));
    SAY(cuDeviceGetByPCIBusId(&device, bus));
    SAY(cuDeviceGetByPCIBusId(&device, "0000:ff:00.0"));
    SAY(cuDeviceGetByPCIBusId(nullptr, bus));
    SAY(cuDeviceGetPCIBusId(bus, 3, device));
    SAY(cuDeviceGetPCIBusId(bus, sizeof bus, 7));
    SAY(cuDeviceCanAccessPeer(&n, 0, 0));
    SAY(cuDeviceCanAccessPeer(&n, 0, 1));
    SAY(cuDeviceGetP2PAttribute(&n, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0));
    SAY(cuDeviceGetP2PAttribute(nullptr, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0));

    // No context is current.
    CUdeviceptr p = 0;
    SAY(cuCtxGetCurrent(&top));
    printf("none: %d\n", top == nullptr);
    SAY(cuCtxGetDevice(&device));
    SAY(cuCtxSynchronize());
    SAY(cuMemAlloc(&p, 4));
    SAY(cuCtxPopCurrent(&top));

    // A stack of them.
    SAY(cuCtxCreate(nullptr, 0, device));
    SAY(cuCtxCreate(&a, 0, 7));
    SAY(cuCtxCreate(&a, 0x4000, device));
    SAY(cuCtxCreate(&a, CU_CTX_SCHED_SPIN | CU_CTX_SCHED_YIELD, device));
    SAY(cuCtxCreate(&a, CU_CTX_SCHED_SPIN, device));
    SAY(cuCtxCreate_v3(&b, nullptr, 0, CU_CTX_SCHED_YIELD, device));
    CUexecAffinityParam affinity;
    SAY(cuCtxCreate_v3(&top, &affinity, 1, 0, device));
    SAY(cuCtxCreate_v3(nullptr, nullptr, 0, 0, device));
    SAY(cuCtxCreate_v3(&top, nullptr, 0, 0, 7));
    SAY(cuCtxCreate_v4(&top, nullptr, 0, 7));
    SAY(cuCtxCreate_v4(nullptr, nullptr, 0, device));
    SAY(cuCtxCreate_v4(&top, nullptr, 0, device));
    SAY(cuCtxDestroy(top));
    SAY(cuCtxGetCurrent(&top));
    printf("the second: %d\n", top == b);
    SAY(cuCtxGetCurrent(nullptr));
    unsigned flags = 0, version;
    SAY(cuCtxGetFlags(&flags));
    printf("%u\n", flags & CU_CTX_SCHED_MASK);
    SAY(cuCtxGetFlags(nullptr));
    SAY(cuCtxSetFlags(CU_CTX_SCHED_BLOCKING_SYNC));
    SAY(cuCtxSetFlags(0x4000));
    SAY(cuCtxGetFlags(&flags));
    printf("%u\n", flags & CU_CTX_SCHED_MASK);
    unsigned long long first_id, second_id;
    SAY(cuCtxGetId(a, &first_id));
    SAY(cuCtxGetId(nullptr, &second_id));
    SAY(cuCtxGetId(a, nullptr));
    printf("apart: %d\n", first_id != second_id);
    SAY(cuCtxGetApiVersion(a, &version));
    SAY(cuCtxGetApiVersion(nullptr, nullptr));
    SAY(cuCtxGetExecAffinity(&affinity, CU_EXEC_AFFINITY_TYPE_SM_COUNT));
    SAY(cuCtxGetExecAffinity(nullptr, CU_EXEC_AFFINITY_TYPE_SM_COUNT));
    SAY(cuCtxGetDevice(&device));
    SAY(cuCtxGetDevice(nullptr));
    SAY(cuCtxPopCurrent(&top));
    printf("the second: %d\n", top == b);
    SAY(cuCtxGetCurrent(&top));
    printf("the first: %d\n", top == a);
    SAY(cuCtxPushCurrent(nullptr));
    SAY(cuCtxPushCurrent(b));
    SAY(cuCtxPopCurrent(nullptr));
    SAY(cuCtxAttach(&top, 0));
    SAY(cuCtxAttach(&top, 1));
    SAY(cuCtxDetach(b));
    SAY(cuCtxDetach(a));
    SAY(cuCtxSetCurrent(b));
    SAY(cuCtxGetCurrent(&top));
    printf("the second: %d\n", top == b);
    SAY(cuCtxSynchronize());
    SAY(cuCtxEnablePeerAccess(b, 0));
    SAY(cuCtxEnablePeerAccess(a, 0));
    SAY(cuCtxEnablePeerAccess(a, 1));
    SAY(cuCtxDisablePeerAccess(a));

    // Limits and preferences.
    SAY(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048));
    SAY(cuCtxGetLimit(&bytes, CU_LIMIT_STACK_SIZE));
    printf("%zu\n", bytes);
    SAY(cuCtxGetLimit(&bytes, (CUlimit)77));
    SAY(cuCtxGetLimit(nullptr, CU_LIMIT_STACK_SIZE));
    SAY(cuCtxSetLimit((CUlimit)77, 1));
    SAY(cuCtxSetLimit(CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, 1));
    SAY(cuCtxGetLimit(&bytes, CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH));
    SAY(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, ~0ull));
    CUfunc_cache cache;
    SAY(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
    SAY(cuCtxSetCacheConfig((CUfunc_cache)9));
    SAY(cuCtxGetCacheConfig(&cache));
    SAY(cuCtxGetCacheConfig(nullptr));
    printf("%d\n", cache);
    CUsharedconfig banks;
    SAY(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE));
    SAY(cuCtxSetSharedMemConfig((CUsharedconfig)9));
    SAY(cuCtxGetSharedMemConfig(&banks));
    SAY(cuCtxGetSharedMemConfig(nullptr));
    int least, greatest;
    SAY(cuCtxGetStreamPriorityRange(&least, &greatest));
    printf("%d %d\n", least, greatest);
    SAY(cuCtxResetPersistingL2Cache());

    // What a context owns goes with it.
    size_t before, after, total;
    SAY(cuMemGetInfo(&before, &total));
    SAY(cuMemAlloc(&p, 1 << 20));
    SAY(cuCtxDestroy(b));
    SAY(cuCtxGetCurrent(&top));
    printf("none: %d\n", top == nullptr);
    SAY(cuCtxPushCurrent(a));
    SAY(cuMemGetInfo(&after, &total));
    printf("given back: %d\n", before == after);
    SAY(cuMemGetInfo(nullptr, &total));
    SAY(cuCtxDestroy(a));

    // The primary one.
    int active = -1;
    SAY(cuDevicePrimaryCtxGetState(device, &flags, &active));
    printf("active: %d\n", active);
    SAY(cuDevicePrimaryCtxSetFlags(device, CU_CTX_SCHED_YIELD));
    SAY(cuDevicePrimaryCtxSetFlags(device, 0x4000));
    SAY(cuDevicePrimaryCtxSetFlags(7, 0));
    SAY(cuDevicePrimaryCtxRetain(&primary, device));
    SAY(cuDevicePrimaryCtxRetain(nullptr, device));
    SAY(cuDevicePrimaryCtxRetain(&top, 7));
    SAY(cuDevicePrimaryCtxGetState(device, &flags, &active));
    printf("active: %d, flags %u\n", active, flags & CU_CTX_SCHED_MASK);
    SAY(cuDevicePrimaryCtxGetState(device, nullptr, &active));
    SAY(cuDevicePrimaryCtxGetState(7, &flags, &active));
    SAY(cuCtxSetCurrent(primary));
    SAY(cuMemAlloc(&p, 4));
    SAY(cuMemFree(p));
    SAY(cuDevicePrimaryCtxRelease(7));
    SAY(cuDevicePrimaryCtxRelease(device));
    SAY(cuDevicePrimaryCtxRelease(device));
    SAY(cuDevicePrimaryCtxReset(device));
    SAY(cuDevicePrimaryCtxReset(7));
    SAY(cuCtxSetCurrent(nullptr));

    // The runtime makes it current; and its last error is its own.
    int *q;
    cudaMalloc(&q, 4);
    SAY(cuCtxGetCurrent(&top));
    printf("the primary one: %d\n", top == primary);
    SAY(cuMemAlloc(nullptr, 4));
    printf("runtime: %s\n", cudaGetErrorName(cudaGetLastError()));
    cudaFree(q);
}
