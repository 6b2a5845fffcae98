// What the runtime tells and takes about the device: normal results, and each error that a call can return.
#include <cstdio>
#include <cstring>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

int main() {
    int n = -1, device = -1;
    SAY(cudaGetDeviceCount(&n));
    SAY(cudaGetDevice(&device));
    printf("%d device, number %d\n", n, device);
    SAY(cudaGetDeviceCount(nullptr));
    SAY(cudaGetDevice(nullptr));
    SAY(cudaSetDevice(0));
    SAY(cudaSetDevice(1));
    SAY(cudaSetDevice(-1));
    SAY(cudaInitDevice(0, 0, 0));
    SAY(cudaInitDevice(7, 0, 0));

    cudaDeviceProp wanted = {};
    wanted.major = 5;
    device = -1;
    SAY(cudaChooseDevice(&device, &wanted));
    printf("chosen %d\n", device);
    SAY(cudaChooseDevice(nullptr, &wanted));
    int valid[] = {0};
    SAY(cudaSetValidDevices(valid, 1));

    char bus[32] = "?";
    SAY(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
    printf("%s\n", bus);
    SAY(cudaDeviceGetPCIBusId(nullptr, 32, 0));
    SAY(cudaDeviceGetPCIBusId(bus, 32, 3));
    device = -1;
    SAY(cudaDeviceGetByPCIBusId(&device, bus));
    printf("device %d\n", device);
    SAY(cudaDeviceGetByPCIBusId(&device, "0000:7f:00.0"));

    int value = -1;
    SAY(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
    printf("%d lanes\n", value);
    SAY(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0));
    SAY(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 5));
    SAY(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
    SAY(cudaDeviceCanAccessPeer(&value, 0, 0));
    printf("to itself: %d\n", value);
    SAY(cudaDeviceCanAccessPeer(&value, 0, 1));
    SAY(cudaDeviceEnablePeerAccess(0, 0));
    SAY(cudaDeviceEnablePeerAccess(1, 0));
    SAY(cudaDeviceDisablePeerAccess(1));
    SAY(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));

    unsigned flags = 99;
    SAY(cudaGetDeviceFlags(&flags));
    printf("flags %u\n", flags);
    SAY(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    SAY(cudaGetDeviceFlags(&flags));
    printf("flags %u\n", flags);
    SAY(cudaSetDeviceFlags(0xffffff));

    cudaFuncCache cache;
    SAY(cudaDeviceGetCacheConfig(&cache));
    printf("cache %d\n", (int)cache);
    SAY(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    SAY(cudaDeviceGetCacheConfig(&cache));
    printf("cache %d\n", (int)cache);
    cudaSharedMemConfig banks;
    SAY(cudaDeviceGetSharedMemConfig(&banks));
    printf("banks %d\n", (int)banks);
    SAY(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));

    int least = 9, greatest = 9;
    SAY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    printf("priorities %d to %d\n", least, greatest);
    size_t limit = 0;
    SAY(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    printf("stack %zu\n", limit);
    SAY(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    SAY(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    printf("stack %zu\n", limit);
    SAY(cudaDeviceGetLimit(&limit, (cudaLimit)77));
    SAY(cudaDeviceSetLimit((cudaLimit)77, 1));
    SAY(cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
    size_t width = 0;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    SAY(cudaDeviceGetTexture1DLinearMaxWidth(&width, &format, 0));
    printf("%zu texels\n", width);
    SAY(cudaCtxResetPersistingL2Cache());

    int driver = 0, runtime = 0;
    SAY(cudaDriverGetVersion(&driver));
    SAY(cudaRuntimeGetVersion(&runtime));
    printf("%d %d\n", driver, runtime);
    SAY(cudaDriverGetVersion(nullptr));
    SAY(cudaRuntimeGetVersion(nullptr));

    // What came before cudaDevice*.
    SAY(cudaThreadSynchronize());
    SAY(cudaThreadSetLimit(cudaLimitStackSize, 2048));
    SAY(cudaThreadGetLimit(&limit, cudaLimitStackSize));
    printf("stack %zu\n", limit);
    SAY(cudaThreadSetCacheConfig(cudaFuncCachePreferShared));
    SAY(cudaThreadGetCacheConfig(&cache));
    printf("cache %d\n", (int)cache);
    double d = 0.1;
    SAY(cudaSetDoubleForDevice(&d));
    SAY(cudaSetDoubleForHost(&d));
    printf("%g\n", d);
    SAY(cudaThreadExit());
    SAY(cudaDeviceReset());
    SAY(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    printf("stack %zu again\n", limit);
    SAY(cudaGetLastError());
}
