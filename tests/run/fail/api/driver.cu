// The driver: handles that are none or no more, and what is freed twice; its errors when nobody looks.
#include <cstdio>
#include <thread>
#include <cuda.h>

static const char *name(CUresult e) {
    const char *text = "?";
    cuGetErrorName(e, &text);
    return text;
}
#define SAY(call) printf("%s: %s\n", #call, name(call))

extern "C" __global__ void add(int *p) { *p += 1; }

int main() {
    CUcontext context, gone, primary;
    CUmodule module;
    CUlibrary library;
    CUfunction f;
    CUstream s;
    CUevent e;
    CUarray array;
    CUmipmappedArray mipmap;
    CUdeviceptr d, p;
    int local[16] = {}, *host;
    unsigned flags;
    size_t size;
    cuInit(0);
    cuCtxCreate(&context, 0, 0);
    cuCtxCreate(&gone, 0, 0);
    cuCtxDestroy(gone);
    cuCtxPushCurrent(context);
    SAY(cuCtxSetCurrent(gone)); //~ ERROR api-error: a context is used after `cuCtxDestroy`
    SAY(cuCtxPushCurrent(gone)); //~ ERROR api-error: a context is used after `cuCtxDestroy`
    SAY(cuCtxDestroy(gone)); //~ ERROR api-error: a context is used after `cuCtxDestroy`
    SAY(cuCtxDestroy((CUcontext)local)); //~ ERROR api-error: this value is not a context
    SAY(cuCtxGetId(gone, nullptr)); //~ ERROR api-error: a context is used after `cuCtxDestroy`
    SAY(cuCtxGetApiVersion(gone, &flags)); //~ ERROR api-error: a context is used after `cuCtxDestroy`
    SAY(cuCtxDetach(gone)); //~ ERROR api-error: a context is used after `cuCtxDestroy`
    cuDevicePrimaryCtxRetain(&primary, 0);
    SAY(cuCtxDestroy(primary)); //~ ERROR api-error: `cuCtxDestroy` of the primary context: release it with `cuDevicePrimaryCtxRelease`
    cuDevicePrimaryCtxRelease(0);

    // Memory.
    cuMemAlloc(&d, 64);
    cuMemAllocHost((void **)&host, 64);
    SAY(cuMemFree((CUdeviceptr)local)); //~ ERROR invalid-free: `cudaFree` of `local` (64 bytes), which was never allocated
    SAY(cuMemFree(d + 4)); //~ ERROR invalid-free: `cudaFree` of a pointer that is 4 bytes into `d`
    SAY(cuMemFreeHost(local)); //~ ERROR invalid-free: `cudaFreeHost` of `local` (64 bytes), which was never alloca
    SAY(cuMemFreeAsync((CUdeviceptr)local, 0)); //~ ERROR api-error: `cudaFreeAsync` of host memory
    SAY(cuMemcpyHtoD(d, local, 65)); //~ ERROR out-of-bounds: out-of-bounds write of 65 bytes: running 1 byte past the end
    SAY(cuMemcpyHtoD((CUdeviceptr)local, host, 4)); //~ ERROR api-error: a copy from host to device whose destination is host memory
    SAY(cuMemcpyDtoH((void *)d, d, 4)); //~ ERROR api-error: a copy from device to host whose destination is device memor
    SAY(cuMemcpyDtoD(d, (CUdeviceptr)local, 4)); //~ ERROR api-error: a copy from device to device whose source is host memory
    SAY(cuMemcpy(0, d, 4)); //~ ERROR null-dereference: write of 4 bytes through a null pointer
    SAY(cuMemcpyAsync(d, 0, 4, 0)); //~ ERROR null-dereference: read of 4 bytes through a null pointer
    SAY(cuMemcpyHtoDAsync(0, local, 4, 0)); //~ ERROR null-dereference: write of 4 bytes through a null pointer
    SAY(cuMemcpyDtoHAsync(local, 0, 4, 0)); //~ ERROR null-dereference: read of 4 bytes through a null pointer
    SAY(cuMemcpyDtoDAsync(d, 0, 4, 0)); //~ ERROR null-dereference: read of 4 bytes through a null pointer
    SAY(cuMemcpyPeer(d, gone, d, context, 4)); //~ ERROR api-error: a context is used after `cuCtxDestroy`
    SAY(cuMemcpyPeer(d, context, 0, context, 4)); //~ ERROR null-dereference: read of 4 bytes through a null pointer
    SAY(cuMemcpyPeerAsync(d, context, 0, context, 4, 0)); //~ ERROR null-dereference: read of 4 bytes through a null pointer
    SAY(cuMemsetD8((CUdeviceptr)local, 0, 4)); //~ ERROR api-error: the device is asked to fill host memory
    SAY(cuMemsetD16(d + 1, 0, 1)); //~ ERROR api-error: a fill with elements of 2 bytes at an address that is not a multiple of 2
    SAY(cuMemsetD32(d + 2, 0, 1)); //~ ERROR api-error: a fill with elements of 4 bytes at an address that is not a multiple of 4
    SAY(cuMemsetD32(d, 0, 17)); //~ ERROR out-of-bounds: out-of-bounds write of 68 bytes: running 4 bytes past the en
    SAY(cuMemsetD8Async(0, 0, 4, 0)); //~ ERROR null-dereference: write of 4 bytes through a null pointer
    SAY(cuMemsetD16Async(d + 1, 0, 1, 0)); //~ ERROR api-error: a fill with elements of 2 bytes at an address that is not a multiple of 2
    SAY(cuMemsetD32Async(d + 2, 0, 1, 0)); //~ ERROR api-error: a fill with elements of 4 bytes at an address that is not a multiple of 4
    SAY(cuMemsetD2D8(d, 16, 0, 16, 5)); //~ ERROR out-of-bounds: out-of-bounds write of 80 bytes: running 16 bytes past the e
    SAY(cuMemsetD2D8Async(d, 16, 0, 16, 5, 0)); //~ ERROR out-of-bounds: out-of-bounds write of 80 bytes: running 16 bytes past the e
    SAY(cuMemsetD2D16Async(d + 1, 16, 0, 1, 1, 0)); //~ ERROR api-error: a fill with elements of 2 bytes at an address that is not a multiple of 2
    SAY(cuMemsetD2D32Async(d + 1, 16, 0, 1, 1, 0)); //~ ERROR api-error: a fill with elements of 4 bytes at an address that is not a multiple of 4
    SAY(cuMemFree(d));
    SAY(cuMemFree(d)); //~ ERROR invalid-free: `d` (64 bytes from `cudaMalloc`) is freed twice
    SAY(cuMemFreeHost(host));
    SAY(cuMemFreeHost(host)); //~ ERROR invalid-free: `host` (64 bytes from `cudaMallocHost`) is freed twice
    SAY(cuMemsetD8(d, 0, 4)); //~ ERROR use-after-free: write of 4 bytes of `d` (64 bytes from `cudaMalloc`) afte

    // Streams and events.
    cuStreamCreate(&s, CU_STREAM_DEFAULT);
    cuStreamDestroy(s);
    cuEventCreate(&e, CU_EVENT_DEFAULT);
    cuEventDestroy(e);
    SAY(cuStreamDestroy(s)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    // A capture that another thread ends.
    cuStreamCreate(&s, CU_STREAM_DEFAULT);
    cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    std::thread([s] {
        CUgraph captured;
        SAY(cuStreamEndCapture(s, &captured)); //~ ERROR api-error: only the thread that began this capture may end it: its mode is not relaxed
    }).join();
    CUgraph captured;
    cuStreamEndCapture(s, &captured);
    cuGraphDestroy(captured);
    cuStreamDestroy(s);

    // A stream that is gone.
    cuMemAlloc(&p, 64);
    CUDA_MEMCPY2D plane = {};
    CUDA_MEMCPY3D box = {};
    SAY(cuMemcpyAsync(p, p + 32, 4, s)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuMemcpyHtoDAsync(p, local, 4, s)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuMemcpyDtoHAsync(local, p, 4, s)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuMemcpyDtoDAsync(p, p + 32, 4, s)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuMemcpyPeerAsync(p, context, p + 32, context, 4, s)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuMemcpy2DAsync(&plane, s)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuMemcpy3DAsync(&box, s)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuMemcpyHtoAAsync(nullptr, 0, local, 4, s)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuMemcpyAtoHAsync(local, nullptr, 0, 4, s)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuMemsetD32Async(p, 0, 1, s)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuMemsetD2D32Async(p, 16, 0, 1, 1, s)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuMemAllocAsync(&p, 4, s)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuStreamGetId(s, nullptr)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuStreamGetDevice(s, nullptr)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuStreamGetPriority(s, nullptr)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuStreamGetCtx_v2(s, nullptr, nullptr)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_PRIORITY, nullptr)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuStreamSetAttribute(s, CU_STREAM_ATTRIBUTE_PRIORITY, nullptr)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuStreamCopyAttributes(nullptr, s)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuStreamIsCapturing(s, nullptr)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuStreamWriteValue32(s, p, 1, 0)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuStreamWriteValue64(nullptr, p + 4, 1, 0));
    cuMemFree(p);
    SAY(cuStreamSynchronize(s)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuStreamQuery(s)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuStreamWaitEvent(nullptr, e, 0)); //~ ERROR api-error: an event is used after `cudaEventDestroy`
    SAY(cuStreamGetFlags(s, &flags)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuStreamGetCtx(s, &primary)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuStreamAddCallback(s, nullptr, nullptr, 0)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuStreamAttachMemAsync(s, d, 0, 1)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuEventRecord(e, nullptr)); //~ ERROR api-error: an event is used after `cudaEventDestroy`
    SAY(cuEventRecordWithFlags(e, nullptr, 0)); //~ ERROR api-error: an event is used after `cudaEventDestroy`
    SAY(cuEventQuery(e)); //~ ERROR api-error: an event is used after `cudaEventDestroy`
    SAY(cuEventSynchronize(e)); //~ ERROR api-error: an event is used after `cudaEventDestroy`
    SAY(cuEventDestroy(e)); //~ ERROR api-error: an event is used after `cudaEventDestroy`
    SAY(cuEventElapsedTime((float *)local, e, e)); //~ ERROR api-error: an event is used after `cudaEventDestroy`
    SAY(cuLaunchHostFunc(s, nullptr, nullptr)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`

    // Arrays.
    CUDA_ARRAY_DESCRIPTOR shape = {16, 0, CU_AD_FORMAT_FLOAT, 1};
    CUDA_ARRAY3D_DESCRIPTOR levels = {16, 16, 0, CU_AD_FORMAT_FLOAT, 1, 0};
    cuArrayCreate(&array, &shape);
    cuMipmappedArrayCreate(&mipmap, &levels, 2);
    SAY(cuMemcpyHtoA(array, 60, local, 8)); //~ ERROR api-error: a copy of 8 bytes, starting at byte 60 of row 0, goes outside an array
    SAY(cuMemcpyAtoH(local, array, 64, 4)); //~ ERROR api-error: a copy of 4 bytes, starting at byte 64 of row 0, goes outside an array
    SAY(cuMemcpyAtoA(array, 0, array, 60, 8)); //~ ERROR api-error: a copy of 8 bytes, starting at byte 60 of row 0, goes outside an array
    SAY(cuMemcpyDtoA(array, 64, (CUdeviceptr)local, 4)); //~ ERROR api-error: a copy of 4 bytes, starting at byte 64 of row 0, goes outside an array
    SAY(cuMemcpyAtoD((CUdeviceptr)local, array, 64, 4)); //~ ERROR api-error: a copy of 4 bytes, starting at byte 64 of row 0, goes outside an array
    SAY(cuMemcpyHtoAAsync(array, 64, local, 4, 0)); //~ ERROR api-error: a copy of 4 bytes, starting at byte 64 of row 0, goes outside an array
    SAY(cuMemcpyAtoHAsync(local, array, 64, 4, 0)); //~ ERROR api-error: a copy of 4 bytes, starting at byte 64 of row 0, goes outside an array
    SAY(cuArrayDestroy(array));
    SAY(cuArrayDestroy(array)); //~ ERROR api-error: this value is not an array, or the array was freed
    SAY(cuArrayGetDescriptor(&shape, array)); //~ ERROR api-error: this value is not an array, or the array was freed
    SAY(cuArray3DGetDescriptor(&levels, array)); //~ ERROR api-error: this value is not an array, or the array was freed
    SAY(cuMipmappedArrayDestroy(mipmap));
    SAY(cuMipmappedArrayDestroy(mipmap)); //~ ERROR api-error: this value is not a mipmapped array, or the array was freed
    SAY(cuMipmappedArrayGetLevel(&array, mipmap, 0)); //~ ERROR api-error: this value is not a mipmapped array, or the array was freed
    SAY(cuTexObjectDestroy(77)); //~ ERROR api-error: this value is not a texture or surface object, or the object was destroyed before
    SAY(cuSurfObjectDestroy(77)); //~ ERROR api-error: this value is not a texture or surface object, or the object was destroyed before

    // Modules.
    cuModuleLoadData(&module, "\x7f" "ELF: what the sources hold");
    cuModuleGetFunction(&f, module, "add");
    SAY(cuLaunchKernel(f, 0, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    cuMemAlloc(&d, 4);
    void *args[] = {&d};
    SAY(cuLaunchKernel(f, 0, 1, 1, 1, 1, 1, 0, nullptr, args, nullptr)); //~ ERROR invalid-launch: the launch of `add` with a grid of 0 x 1 x 1: x is 0
    SAY(cuLaunchKernel(f, 1, 1, 1, 4096, 1, 1, 0, nullptr, args, nullptr)); //~ ERROR invalid-launch: the launch of `add` with a block of 4096 x 1 x 1: x is more 
    SAY(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 1 << 24, nullptr, args, nullptr)); //~ ERROR invalid-launch: the launch of `add` with 16777216 bytes of dynamic shared me
    SAY(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, args, nullptr)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cuModuleUnload(module));
    SAY(cuModuleUnload(module)); //~ ERROR api-error: this value is not a module or library, or it was unloaded
    SAY(cuModuleGetFunction(&f, module, "add")); //~ ERROR api-error: this value is not a module or library, or it was unloaded
    SAY(cuModuleGetGlobal(&p, &size, module, "add")); //~ ERROR api-error: this value is not a module or library, or it was unloaded
    SAY(cuModuleGetFunctionCount(&flags, module)); //~ ERROR api-error: this value is not a module or library, or it was unloaded
    SAY(cuModuleEnumerateFunctions(&f, 1, module)); //~ ERROR api-error: this value is not a module or library, or it was unloaded
    cuLibraryLoadData(&library, "\x7f" "ELF: what the sources hold", nullptr, nullptr, 0, nullptr, nullptr, 0);
    cuLibraryUnload(library);
    SAY(cuLibraryUnload(library)); //~ ERROR api-error: this value is not a module or library, or it was unloaded
    SAY(cuLibraryGetKernel((CUkernel *)&p, library, "add")); //~ ERROR api-error: this value is not a module or library, or it was unloaded
    SAY(cuLibraryGetKernelCount(&flags, library)); //~ ERROR api-error: this value is not a module or library, or it was unloaded
    SAY(cuLibraryEnumerateKernels((CUkernel *)&p, 1, library)); //~ ERROR api-error: this value is not a module or library, or it was unloaded
    SAY(cuLibraryGetModule(&module, library)); //~ ERROR api-error: this value is not a module or library, or it was unloaded
    SAY(cuLibraryGetGlobal(&p, &size, library, "add")); //~ ERROR api-error: this value is not a module or library, or it was unloaded
    SAY(cuLibraryGetManaged(&p, &size, library, "add")); //~ ERROR api-error: this value is not a module or library, or it was unloaded
    SAY(cuLibraryGetUnifiedFunction((void **)&p, library, "add")); //~ ERROR api-error: this value is not a module or library, or it was unloaded

    // Graphs.
    CUgraph graph;
    CUgraphNode node;
    cuGraphCreate(&graph, 0);
    cuGraphDestroy(graph);
    SAY(cuGraphDestroy(graph)); //~ ERROR api-error: this value is not a graph, or the graph was destroyed
    SAY(cuStreamBeginCaptureToGraph(nullptr, graph, nullptr, nullptr, 0, CU_STREAM_CAPTURE_MODE_RELAXED)); //~ ERROR api-error: this value is not a graph, or the graph was destroyed
    SAY(cuGraphAddMemFreeNode(&node, graph, nullptr, 0, 0)); //~ ERROR api-error: a graph frees memory that no graph has allocated
    SAY(cuGraphAddEmptyNode(&node, graph, nullptr, 0)); //~ ERROR api-error: this value is not a graph, or the graph was destroyed
    SAY(cuGraphLaunch((CUgraphExec)local, nullptr)); //~ ERROR api-error: this value is not an executable graph, or the graph was destroyed
    SAY(cuGraphUpload((CUgraphExec)local, nullptr)); //~ ERROR api-error: this value is not an executable graph, or the graph was destroyed
    SAY(cuGraphExecDestroy((CUgraphExec)local)); //~ ERROR api-error: this value is not an executable graph, or the graph was destroyed
    SAY(cuGraphDestroyNode((CUgraphNode)local)); //~ ERROR api-error: this value is not a node of a graph, or the node was destroyed
    SAY(cuUserObjectRetain((CUuserObject)local, 1)); //~ ERROR api-error: this value is not a user object, or the object was destroyed
    SAY(cuMemRelease(4711)); //~ ERROR api-error: this handle does not name memory, or the memory was released before
    SAY(cuMemAddressFree(4096, 4096)); //~ ERROR api-error: this range is not a whole reservation, or memory is still mapped in it
    SAY(cuMemPoolTrimTo((CUmemoryPool)local, 0)); //~ ERROR api-error: this value is not a memory pool, or the pool was destroyed

    // Nothing is imported here.
    SAY(cuDestroyExternalMemory((CUexternalMemory)local)); //~ ERROR api-error: this value is not external memory
    SAY(cuDestroyExternalSemaphore((CUexternalSemaphore)local)); //~ ERROR api-error: this value is not an external semaphore
    SAY(cuGraphicsUnregisterResource((CUgraphicsResource)local)); //~ ERROR api-error: this value is not a graphics resource
    SAY(cuDeviceUnregisterAsyncNotification(0, (CUasyncCallbackHandle)local)); //~ ERROR api-error: this value is not a registration, or the registration was removed

    // Nobody looks.
    cuMemAlloc(nullptr, 4); //~ WARNING api-error: `cuMemAlloc` returns CUDA_ERROR_INVALID_VALUE (invalid argum
    cudaGetLastError();
    cuMemFree(d);
    cuCtxDestroy(context);
}
