// Memory of the driver: allocations, copies of every kind, fills of every width, what it tells of pointers, virtual
// memory, pools that are shared.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <cuda.h>

static const char *name(CUresult e) {
    const char *text = "?";
    cuGetErrorName(e, &text);
    return text;
}
#define SAY(call) printf("%s: %s\n", #call, name(call))

template <class T> static void show(const T *data, int n) {
    for (int i = 0; i < n; i++)
        printf("%lld ", (long long)data[i]);
    printf("\n");
}

int main() {
    CUcontext context;
    CUstream s;
    cuInit(0);
    cuCtxCreate(&context, 0, 0);
    cuStreamCreate(&s, CU_STREAM_DEFAULT);
    CUdeviceptr d, e, m, base;
    size_t n, pitch;
    int host[16], back[16] = {}, *pinned, *registered = new int[16];
    for (int i = 0; i < 16; i++)
        host[i] = i + 1;

    // Allocations.
    SAY(cuMemAlloc(&d, 0));
    SAY(cuMemAlloc(nullptr, 4));
    SAY(cuMemAlloc(&d, SIZE_MAX));
    SAY(cuMemAlloc(&d, sizeof host));
    SAY(cuMemAlloc(&e, sizeof host));
    SAY(cuMemAllocManaged(&m, sizeof host, CU_MEM_ATTACH_GLOBAL));
    CUdeviceptr kept = m;
    SAY(cuMemAllocManaged(&m, 0, CU_MEM_ATTACH_GLOBAL));
    m = kept;
    SAY(cuMemAllocManaged(nullptr, 4, CU_MEM_ATTACH_GLOBAL));
    SAY(cuMemAllocManaged(&base, SIZE_MAX / 2, CU_MEM_ATTACH_GLOBAL));
    SAY(cuMemAllocHost((void **)&pinned, sizeof host));
    SAY(cuMemAllocHost(nullptr, 4));
    SAY(cuMemAllocHost((void **)&base, SIZE_MAX));
    SAY(cuMemHostAlloc((void **)&base, SIZE_MAX, 0));
    SAY(cuMemHostAlloc((void **)&base, 4, 0x40));
    SAY(cuMemHostRegister(registered, 64, CU_MEMHOSTREGISTER_DEVICEMAP));
    SAY(cuMemHostRegister(registered, 64, 0));
    SAY(cuMemHostRegister(nullptr, 64, 0));
    SAY(cuMemHostGetDevicePointer(&base, registered, 0));
    printf("%d\n", base == (CUdeviceptr)registered);
    SAY(cuMemHostGetDevicePointer(&base, registered, 1));
    SAY(cuMemHostGetDevicePointer(nullptr, registered, 0));
    unsigned flags;
    SAY(cuMemHostGetFlags(&flags, pinned));
    SAY(cuMemHostGetFlags(&flags, host));
    SAY(cuMemHostGetFlags(nullptr, pinned));
    SAY(cuMemHostUnregister(registered));
    SAY(cuMemHostUnregister(registered));
    SAY(cuMemHostUnregister(nullptr));
    SAY(cuMemAllocPitch(&base, &pitch, 100, 4, 8));
    printf("%d\n", pitch >= 100 && pitch % 256 == 0);
    cuMemFree(base);
    SAY(cuMemAllocPitch(&base, &pitch, 100, 4, 5));
    SAY(cuMemAllocPitch(&base, &pitch, SIZE_MAX, 4, 4));
    SAY(cuMemAllocPitch(&base, &pitch, 1 << 20, SIZE_MAX, 4));
    SAY(cuMemAllocPitch(nullptr, &pitch, 100, 4, 4));
    SAY(cuMemGetAddressRange(&base, &n, d + 8));
    printf("%d %zu\n", base == d, n);
    SAY(cuMemGetAddressRange(nullptr, nullptr, d));
    SAY(cuMemGetAddressRange(&base, &n, (CUdeviceptr)host));

    // Copies.
    SAY(cuMemcpyHtoD(d, host, sizeof host));
    SAY(cuMemcpyDtoD(e, d, sizeof host));
    SAY(cuMemcpyDtoH(back, e, sizeof host));
    show(back, 16);
    SAY(cuMemcpy((CUdeviceptr)pinned, d + 4, 60));
    show(pinned, 4);
    SAY(cuMemcpyHtoDAsync(d, pinned, 16, s));
    SAY(cuMemcpyDtoDAsync(e, d, 16, s));
    SAY(cuMemcpyDtoHAsync(pinned, e, 16, s));
    SAY(cuMemcpyAsync(m, e, 16, s));
    SAY(cuStreamSynchronize(s));
    show((int *)m, 4);
    SAY(cuMemcpyPeer(e, context, d, context, 8));
    SAY(cuMemcpyPeerAsync(e, context, d, context, 8, s));

    // Fills.
    SAY(cuMemsetD8(d, 7, 64));
    SAY(cuMemsetD16(d, 0x1234, 4));
    SAY(cuMemsetD32(d + 8, 0xabcd, 2));
    cuMemcpyDtoH(back, d, sizeof back);
    printf("%x %x %x %x %x\n", back[0], back[1], back[2], back[3], back[4]);
    SAY(cuMemsetD2D8(d, 16, 1, 4, 2));
    SAY(cuMemsetD2D16(d, 16, 2, 4, 2));
    SAY(cuMemsetD2D32(d, 16, 3, 1, 4));
    SAY(cuMemsetD2D32(d, 4, 3, 2, 4));
    SAY(cuMemsetD2D16(d, 3, 3, 1, 4));
    SAY(cuMemsetD8Async(d, 9, 1, s));
    SAY(cuMemsetD16Async(d + 2, 9, 1, s));
    SAY(cuMemsetD32Async(d + 4, 9, 1, s));
    SAY(cuMemsetD2D8Async(d + 8, 16, 9, 4, 2, s));
    SAY(cuMemsetD2D16Async(d + 12, 16, 9, 2, 2, s));
    SAY(cuMemsetD2D32Async(d + 32, 16, 9, 1, 2, s));
    SAY(cuStreamWriteValue32(s, d + 60, 77, 0));
    SAY(cuStreamWriteValue64(s, d + 48, 78, 0));
    SAY(cuStreamWriteValue32(s, d + 61, 77, 0));
    SAY(cuStreamSynchronize(s));
    cuMemcpyDtoH(back, d, sizeof back);
    for (int word : back)
        printf("%x ", word);
    printf("\n");

    // Rectangles.
    CUDA_MEMCPY2D plane = {};
    plane.srcMemoryType = CU_MEMORYTYPE_HOST;
    plane.srcHost = host;
    plane.srcPitch = 16;
    plane.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    plane.dstDevice = d;
    plane.dstPitch = 16;
    plane.srcXInBytes = plane.dstXInBytes = 4;
    plane.srcY = plane.dstY = 1;
    plane.WidthInBytes = 8;
    plane.Height = 2;
    cuMemsetD32(d, 0, 16);
    SAY(cuMemcpy2D(&plane));
    SAY(cuMemcpy2DUnaligned(&plane));
    SAY(cuMemcpy2DAsync(&plane, s));
    cuStreamSynchronize(s);
    cuMemcpyDtoH(back, d, sizeof back);
    show(back, 16);
    plane.srcPitch = 4;
    SAY(cuMemcpy2D(&plane));
    plane.srcPitch = 16;
    plane.srcMemoryType = (CUmemorytype)9;
    SAY(cuMemcpy2D(&plane));
    SAY(cuMemcpy2D(nullptr));
    SAY(cuMemcpy2DUnaligned(nullptr));
    SAY(cuMemcpy2DAsync(nullptr, s));
    CUDA_MEMCPY3D box = {};
    box.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
    box.srcDevice = d;
    box.srcPitch = 8;
    box.srcHeight = 2;
    box.dstMemoryType = CU_MEMORYTYPE_HOST;
    box.dstHost = back;
    box.dstPitch = 8;
    box.dstHeight = 2;
    box.WidthInBytes = 4;
    box.Height = 2;
    box.Depth = 4;
    memset(back, 0, sizeof back);
    cuMemcpyHtoD(d, host, sizeof host);
    SAY(cuMemcpy3D(&box));
    show(back, 16);
    SAY(cuMemcpy3DAsync(&box, s));
    SAY(cuMemcpy3D(nullptr));
    SAY(cuMemcpy3DAsync(nullptr, s));
    CUDA_MEMCPY3D_PEER peer = {};
    peer.srcMemoryType = peer.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    peer.srcDevice = d;
    peer.dstDevice = e;
    peer.srcContext = peer.dstContext = context;
    peer.WidthInBytes = 16;
    peer.Height = peer.Depth = 1;
    SAY(cuMemcpy3DPeer(&peer));
    SAY(cuMemcpy3DPeerAsync(&peer, s));
    SAY(cuMemcpy3DPeer(nullptr));
    SAY(cuMemcpy3DPeerAsync(nullptr, s));

    // Pointers.
    CUcontext of;
    unsigned type, managed = 9, yes = 1;
    CUdeviceptr there;
    void *here;
    int ordinal;
    bool flag;
    SAY(cuPointerGetAttribute(&of, CU_POINTER_ATTRIBUTE_CONTEXT, d));
    printf("%d\n", of == context);
    for (CUdeviceptr p : {d, m, (CUdeviceptr)pinned}) {
        SAY(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
        SAY(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, p));
        SAY(cuPointerGetAttribute(&there, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, p));
        printf("%u %u %d\n", type, managed, there == p);
        SAY(cuPointerGetAttribute(&here, CU_POINTER_ATTRIBUTE_HOST_POINTER, p));
    }
    SAY(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, d));
    SAY(cuPointerGetAttribute(&base, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, d + 8));
    SAY(cuPointerGetAttribute(&n, CU_POINTER_ATTRIBUTE_RANGE_SIZE, d + 8));
    printf("%d %d %zu\n", ordinal, base == d, n);
    SAY(cuPointerGetAttribute(&flag, CU_POINTER_ATTRIBUTE_MAPPED, d));
    printf("%d\n", flag);
    SAY(cuPointerSetAttribute(&yes, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, d));
    SAY(cuPointerGetAttribute(&flag, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, d));
    printf("%d\n", flag);
    SAY(cuPointerSetAttribute(&yes, CU_POINTER_ATTRIBUTE_CONTEXT, d));
    SAY(cuPointerSetAttribute(&yes, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, (CUdeviceptr)host));
    SAY(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)host));
    SAY(cuPointerGetAttribute(&type, (CUpointer_attribute)99, d));
    SAY(cuPointerGetAttribute(nullptr, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, d));
    CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_POINTER};
    void *into[] = {&type, &there};
    SAY(cuPointerGetAttributes(2, wanted, into, d));
    printf("%u %d\n", type, there == d);
    SAY(cuPointerGetAttributes(2, wanted, into, (CUdeviceptr)host));
    printf("%u %d\n", type, there == 0);
    SAY(cuPointerGetAttributes(0, wanted, into, d));
    SAY(cuPointerGetAttributes(2, nullptr, into, d));

    // Managed memory.
    SAY(cuMemAdvise(m, 64, CU_MEM_ADVISE_SET_READ_MOSTLY, 0));
    SAY(cuMemAdvise(m, 64, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, 7));
    SAY(cuMemAdvise(d, 64, CU_MEM_ADVISE_SET_READ_MOSTLY, 0));
    CUmemLocation gpu = {CU_MEM_LOCATION_TYPE_DEVICE, 0}, away = {CU_MEM_LOCATION_TYPE_DEVICE, 7};
    SAY(cuMemAdvise_v2(m, 64, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, gpu));
    SAY(cuMemAdvise_v2(m, 64, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, away));
    SAY(cuMemAdvise_v2(d, 64, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, gpu));
    SAY(cuMemPrefetchAsync(m, 64, 0, s));
    SAY(cuMemPrefetchAsync(m, 64, 7, s));
    SAY(cuMemPrefetchAsync(d, 64, 0, s));
    SAY(cuMemPrefetchAsync_v2(m, 64, gpu, 0, s));
    SAY(cuMemPrefetchAsync_v2(m, 64, away, 0, s));
    SAY(cuMemPrefetchAsync_v2(m, 64, gpu, 9, s));
    SAY(cuMemRangeGetAttribute(&ordinal, 4, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, m, 64));
    printf("%d\n", ordinal);
    SAY(cuMemRangeGetAttribute(&ordinal, 3, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, m, 64));
    CUmem_range_attribute kinds[] = {CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY};
    void *places[] = {&ordinal};
    size_t sizes[] = {4};
    SAY(cuMemRangeGetAttributes(places, sizes, kinds, 1, m, 64));
    SAY(cuMemRangeGetAttributes(places, sizes, kinds, 0, m, 64));
    SAY(cuStreamAttachMemAsync(s, m, 0, CU_MEM_ATTACH_GLOBAL));

    // Pools, one of them shared with this very process.
    CUmemoryPool own, pool, again;
    CUmemPoolProps how = {};
    how.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    how.location = gpu;
    how.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    SAY(cuDeviceGetDefaultMemPool(&own, 0));
    SAY(cuDeviceGetDefaultMemPool(nullptr, 0));
    SAY(cuDeviceGetDefaultMemPool(&own, 7));
    SAY(cuMemPoolCreate(&pool, &how));
    SAY(cuMemPoolCreate(nullptr, &how));
    how.handleTypes = CU_MEM_HANDLE_TYPE_FABRIC;
    SAY(cuMemPoolCreate(&again, &how));
    SAY(cuDeviceSetMemPool(0, pool));
    SAY(cuDeviceSetMemPool(7, pool));
    SAY(cuDeviceGetMemPool(&again, 0));
    printf("%d\n", again == pool);
    SAY(cuDeviceGetMemPool(&again, 7));
    SAY(cuDeviceGetMemPool(nullptr, 0));
    SAY(cuMemAllocAsync(&base, 256, s));
    SAY(cuMemAllocAsync(nullptr, 256, s));
    SAY(cuMemAllocAsync(&there, SIZE_MAX, s));
    SAY(cuMemAllocFromPoolAsync(&there, 256, own, s));
    SAY(cuMemAllocFromPoolAsync(nullptr, 256, own, s));
    SAY(cuMemAllocFromPoolAsync(&there, SIZE_MAX / 2, own, s));
    SAY(cuPointerGetAttribute(&again, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, base));
    printf("%d\n", again == pool);
    cuuint64_t value = 0;
    SAY(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &value));
    printf("%llu\n", (unsigned long long)value);
    SAY(cuMemPoolGetAttribute(pool, (CUmemPool_attribute)99, &value));
    value = 1 << 20;
    SAY(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &value));
    SAY(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &value));
    CUmemAccessDesc desc = {gpu, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemAccess_flags rights;
    SAY(cuMemPoolSetAccess(pool, &desc, 1));
    SAY(cuMemPoolSetAccess(pool, nullptr, 1));
    desc.location = away;
    SAY(cuMemPoolSetAccess(pool, &desc, 1));
    SAY(cuMemPoolGetAccess(&rights, pool, &gpu));
    printf("%d\n", rights);
    SAY(cuMemPoolGetAccess(&rights, pool, &away));
    SAY(cuMemPoolTrimTo(pool, 0));
    int file = -1;
    SAY(cuMemPoolExportToShareableHandle(&file, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    SAY(cuMemPoolExportToShareableHandle(&file, pool, CU_MEM_HANDLE_TYPE_WIN32, 0));
    SAY(cuMemPoolExportToShareableHandle(&file, own, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    CUmemoryPool imported;
    SAY(cuMemPoolImportFromShareableHandle(&imported, (void *)(uintptr_t)file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    SAY(cuMemPoolImportFromShareableHandle(&again, (void *)3, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    SAY(cuMemAllocFromPoolAsync(&m, 256, imported, s));
    SAY(cuDeviceSetMemPool(0, imported));
    CUmemPoolPtrExportData exported;
    SAY(cuMemPoolExportPointer(&exported, base));
    SAY(cuMemPoolExportPointer(&exported, there));
    CUdeviceptr alias;
    SAY(cuMemPoolExportPointer(&exported, base));
    SAY(cuMemPoolImportPointer(&alias, imported, &exported));
    SAY(cuMemPoolImportPointer(&alias, own, &exported));
    SAY(cuMemPoolImportPointer(nullptr, imported, &exported));
    cuMemsetD32(base, 4711, 1);
    cuMemcpyDtoH(back, alias, 4);
    printf("%d\n", back[0]);
    SAY(cuMemFreeAsync(alias, s));
    SAY(cuMemFreeAsync(base, s));
    SAY(cuMemFreeAsync(there, s));
    SAY(cuMemPoolDestroy(imported));
    SAY(cuMemPoolDestroy(pool));
    SAY(cuMemPoolDestroy(own));

    // Virtual memory.
    CUmemAllocationProp prop = {};
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location = gpu;
    size_t piece = 0;
    CUmemGenericAllocationHandle handle, second;
    unsigned long long access;
    SAY(cuMemGetAllocationGranularity(&piece, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    SAY(cuMemGetAllocationGranularity(nullptr, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    SAY(cuMemAddressReserve(&base, piece, 0, 0, 0));
    SAY(cuMemAddressReserve(&there, piece - 1, 0, 0, 0));
    SAY(cuMemCreate(&handle, piece, &prop, 0));
    SAY(cuMemCreate(&second, 1, &prop, 0));
    SAY(cuMemCreate(&second, (SIZE_MAX / 2 + 1) / piece * piece, &prop, 0));
    prop.location = away;
    SAY(cuMemCreate(&second, piece, &prop, 0));
    prop.location = gpu;
    SAY(cuMemMap(base, piece, 0, handle, 0));
    SAY(cuMemMap(base, piece, 0, 12345, 0));
    desc = {gpu, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    SAY(cuMemSetAccess(base, piece, &desc, 1));
    SAY(cuMemSetAccess(base, SIZE_MAX, &desc, 1));
    SAY(cuMemSetAccess(base, piece, nullptr, 1));
    desc.location = away;
    SAY(cuMemSetAccess(base, piece, &desc, 1));
    SAY(cuMemGetAccess(&access, &gpu, base));
    printf("%llu\n", access);
    SAY(cuMemGetAccess(&access, &gpu, d));
    SAY(cuMemGetAccess(&access, &away, base));
    SAY(cuMemRetainAllocationHandle(&second, (void *)base));
    printf("%d\n", second == handle);
    SAY(cuMemRetainAllocationHandle(&second, host));
    SAY(cuMemGetAllocationPropertiesFromHandle(&prop, handle));
    SAY(cuMemGetAllocationPropertiesFromHandle(&prop, 12345));
    SAY(cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    SAY(cuMemImportFromShareableHandle(&second, &file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    SAY(cuMemsetD8(base, 1, piece));
    SAY(cuMemUnmap(base, piece));
    SAY(cuMemUnmap(base, piece));
    SAY(cuMemUnmap(base, SIZE_MAX));
    SAY(cuMemRelease(handle));
    SAY(cuMemRelease(handle));
    SAY(cuMemAddressFree(base, piece));

    cuMemFree(d);
    cuMemFree(e);
    SAY(cuMemFreeHost(pinned));
    SAY(cuStreamDestroy(s));
    SAY(cuCtxDestroy(context));
    delete[] registered;
}
