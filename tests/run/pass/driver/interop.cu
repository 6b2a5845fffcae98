// What of the driver only means something beside other processes, interfaces and tools; and copies in batches.
#include <cstdio>
#include <cudaProfiler.h>

static const char *name(CUresult e) {
    const char *text = "?";
    cuGetErrorName(e, &text);
    return text;
}
#define SAY(call) printf("%s: %s\n", #call, name(call))

static void told(CUasyncNotificationInfo *, void *, CUasyncCallbackHandle) {}

int main() {
    CUcontext context;
    CUdeviceptr d, p;
    CUevent e, shared;
    CUstream s;
    int n, host[4] = {1, 2, 3, 4}, back[4] = {};
    size_t bytes;
    cuInit(0);
    cuCtxCreate(&context, 0, 0);
    cuStreamCreate(&s, CU_STREAM_DEFAULT);
    cuMemAlloc(&d, 16);

    // Other processes.
    CUipcMemHandle memory;
    CUipcEventHandle event;
    SAY(cuIpcGetMemHandle(&memory, d));
    SAY(cuIpcGetMemHandle(nullptr, d));
    SAY(cuIpcOpenMemHandle(&p, memory, 7));
    SAY(cuIpcCloseMemHandle(d));
    cuEventCreate(&e, CU_EVENT_DEFAULT);
    cuEventCreate(&shared, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING);
    SAY(cuIpcGetEventHandle(&event, shared));
    SAY(cuIpcGetEventHandle(&event, e));
    event = {};
    SAY(cuIpcOpenEventHandle(&e, event));

    // Batches.
    CUdeviceptr to[] = {d, d + 8}, from[] = {(CUdeviceptr)host, (CUdeviceptr)(host + 2)};
    size_t sizes[] = {8, 8}, first[] = {0}, failed = 0;
    CUmemcpyAttributes how = {};
    how.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    SAY(cuMemcpyBatchAsync(to, from, sizes, 2, &how, first, 1, &failed, s));
    SAY(cuMemcpyBatchAsync(to, from, sizes, 2, nullptr, first, 1, &failed, s));
    cuMemcpyDtoH(back, d, 16);
    printf("%d %d %d %d\n", back[0], back[1], back[2], back[3]);
    CUDA_MEMCPY3D_BATCH_OP op = {};
    op.src.type = op.dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
    op.src.op.ptr.ptr = d;
    op.dst.op.ptr.ptr = d + 8;
    op.extent.width = 8;
    op.extent.height = op.extent.depth = 1;
    op.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    SAY(cuMemcpy3DBatchAsync(1, &op, &failed, 0, s));
    SAY(cuMemcpy3DBatchAsync(1, nullptr, &failed, 0, s));
    SAY(cuStreamSynchronize(s));
    cuMemcpyDtoH(back, d, 16);
    printf("%d %d %d %d\n", back[0], back[1], back[2], back[3]);

    // Other interfaces, of which there is none.
    CUexternalMemory external;
    CUexternalSemaphore semaphore;
    CUmipmappedArray mipmap;
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC of_memory = {};
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC of_semaphore = {};
    SAY(cuImportExternalMemory(&external, nullptr));
    of_memory.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
    SAY(cuImportExternalMemory(&external, &of_memory));
    SAY(cuImportExternalSemaphore(&semaphore, nullptr));
    of_semaphore.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD;
    SAY(cuImportExternalSemaphore(&semaphore, &of_semaphore));
    SAY(cuExternalMemoryGetMappedBuffer(&p, nullptr, nullptr));
    SAY(cuExternalMemoryGetMappedMipmappedArray(&mipmap, nullptr, nullptr));
    SAY(cuSignalExternalSemaphoresAsync(nullptr, nullptr, 0, s));
    SAY(cuWaitExternalSemaphoresAsync(nullptr, nullptr, 0, s));
    SAY(cuGraphicsMapResources(0, nullptr, s));
    SAY(cuGraphicsUnmapResources(0, nullptr, s));
    SAY(cuGraphicsResourceGetMappedPointer(nullptr, &bytes, nullptr));
    SAY(cuGraphicsSubResourceGetMappedArray(nullptr, nullptr, 0, 0));
    SAY(cuGraphicsResourceGetMappedMipmappedArray(nullptr, nullptr));
    SAY(cuDeviceGetNvSciSyncAttributes(&n, 0, CUDA_NVSCISYNC_ATTR_SIGNAL));
    SAY(cuDeviceGetNvSciSyncAttributes(nullptr, 0, CUDA_NVSCISYNC_ATTR_SIGNAL));
    SAY(cuDeviceGetNvSciSyncAttributes(&n, 7, CUDA_NVSCISYNC_ATTR_SIGNAL));
    SAY(cuFlushGPUDirectRDMAWrites(CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX, CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER));
    CUgraph graph;
    CUgraphNode node;
    CUgraphExec exec;
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS signals = {};
    CUDA_EXT_SEM_WAIT_NODE_PARAMS waits = {};
    cuGraphCreate(&graph, 0);
    cuGraphAddEmptyNode(&node, graph, nullptr, 0);
    cuGraphInstantiate(&exec, graph, 0);
    SAY(cuGraphAddExternalSemaphoresSignalNode(&node, graph, nullptr, 0, &signals));
    SAY(cuGraphExternalSemaphoresSignalNodeGetParams(node, &signals));
    SAY(cuGraphExternalSemaphoresSignalNodeSetParams(node, &signals));
    SAY(cuGraphExecExternalSemaphoresSignalNodeSetParams(exec, node, &signals));
    SAY(cuGraphAddExternalSemaphoresWaitNode(&node, graph, nullptr, 0, &waits));
    SAY(cuGraphExternalSemaphoresWaitNodeGetParams(node, &waits));
    SAY(cuGraphExternalSemaphoresWaitNodeSetParams(node, &waits));
    SAY(cuGraphExecExternalSemaphoresWaitNodeSetParams(exec, node, &waits));
    cuGraphExecDestroy(exec);
    cuGraphDestroy(graph);

    // Tools.
    CUasyncCallbackHandle handle;
    SAY(cuDeviceRegisterAsyncNotification(0, told, nullptr, &handle));
    SAY(cuDeviceRegisterAsyncNotification(0, nullptr, nullptr, &handle));
    SAY(cuDeviceRegisterAsyncNotification(7, told, nullptr, &handle));
    SAY(cuDeviceUnregisterAsyncNotification(7, handle));
    SAY(cuDeviceUnregisterAsyncNotification(0, handle));
    SAY(cuProfilerStart());
    SAY(cuProfilerStop());
    CUuuid uuid = {};
    const void *table;
    SAY(cuGetExportTable(&table, &uuid));
    cuEventDestroy(e);
    cuEventDestroy(shared);
    cuMemFree(d);
    cuStreamDestroy(s);
    cuCtxDestroy(context);
}
