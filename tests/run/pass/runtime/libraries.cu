// Kernels and libraries as handles of the runtime, functions of the driver by their name, notifications, and interfaces
// that a simulated device does not have.
#include <cstdio>
#include <cuda.h>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

extern "C" __device__ int counter = 5;
extern "C" __managed__ int both = 6;
extern "C" __global__ void add(int *p) { *p += counter + both; }
void on_host(int *) {}

static void told(cudaAsyncNotificationInfo_t *, void *, cudaAsyncCallbackHandle_t) {}

int main() {
    int *d, value, *where;
    cudaMalloc(&d, 4);
    cudaMemset(d, 0, 4);
    cudaLibrary_t library, other;
    cudaKernel_t kernel, list[4];
    size_t bytes;
    unsigned count;
    SAY(cudaLibraryLoadData(&library, "\x7f" "ELF: what the sources hold", nullptr, nullptr, 0, nullptr, nullptr, 0));
    SAY(cudaLibraryLoadData(&other, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
    SAY(cudaLibraryLoadData(nullptr, "x", nullptr, nullptr, 0, nullptr, nullptr, 0));
    SAY(cudaLibraryLoadFromFile(&other, "libraries.cu is not here", nullptr, nullptr, 0, nullptr, nullptr, 0));
    SAY(cudaLibraryLoadFromFile(&other, "tests/run/pass/driver/aux/image.cubin", nullptr, nullptr, 0, nullptr, nullptr, 0));
    SAY(cudaLibraryUnload(other));
    SAY(cudaLibraryLoadFromFile(&other, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
    SAY(cudaLibraryGetKernelCount(&count, library));
    SAY(cudaLibraryGetKernelCount(nullptr, library));
    SAY(cudaLibraryEnumerateKernels(list, 4, library));
    SAY(cudaLibraryEnumerateKernels(nullptr, 4, library));
    SAY(cudaLibraryGetKernel(&kernel, library, "add"));
    SAY(cudaLibraryGetKernel(&kernel, library, "nowhere"));
    SAY(cudaLibraryGetKernel(nullptr, library, "add"));
    SAY(cudaLibraryGetKernel(&kernel, library, "add"));
    printf("%u, the same: %d\n", count, list[0] == kernel);
    SAY(cudaLibraryGetGlobal(&where, &bytes, library, "counter"));
    printf("%zu\n", bytes);
    SAY(cudaLibraryGetGlobal(&where, &bytes, library, "nowhere"));
    SAY(cudaLibraryGetGlobal(&where, &bytes, library, nullptr));
    SAY(cudaLibraryGetManaged(&where, &bytes, library, "both"));
    printf("%d\n", *where);
    SAY(cudaLibraryGetManaged(&where, &bytes, library, "counter"));
    SAY(cudaLibraryGetManaged(&where, &bytes, library, nullptr));
    SAY(cudaLibraryGetUnifiedFunction(&where, library, "add"));
    SAY(cudaLibraryGetUnifiedFunction(&where, library, nullptr));
    SAY(cudaGetKernel(&kernel, add));
    SAY(cudaGetKernel(&kernel, (const void *)on_host));
    SAY(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024, 0));
    SAY(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, -5, 0));
    SAY(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024, 7));
    SAY(cudaKernelSetAttributeForDevice((cudaKernel_t)on_host, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024, 0));
    void *args[] = {&d};
    SAY(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(1), args, 0, 0));
    cudaMemcpy(&value, d, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", value);
    SAY(cudaLibraryUnload(library));

    void *entry;
    cudaDriverEntryPointQueryResult result;
    SAY(cudaGetDriverEntryPoint("cuMemGetInfo", &entry, cudaEnableDefault, &result));
    size_t total = 0;
    printf("%d %d\n", result, ((CUresult(*)(size_t *, size_t *))entry)(&bytes, &total));
    printf("%d\n", total > 0);
    SAY(cudaGetDriverEntryPoint("cuNothing", &entry, cudaEnableDefault, &result));
    printf("%d %d\n", result, entry == nullptr);
    SAY(cudaGetDriverEntryPoint(nullptr, &entry, cudaEnableDefault, &result));
    SAY(cudaGetDriverEntryPoint("cuMemGetInfo", &entry, 99, &result));
    SAY(cudaGetDriverEntryPointByVersion("cuMemGetInfo", &entry, 12000, cudaEnableDefault, &result));
    SAY(cudaGetDriverEntryPointByVersion("cuMemGetInfo", &entry, 1000, cudaEnableDefault, &result));
    printf("%d\n", result);
    SAY(cudaGetDriverEntryPointByVersion("cuMemGetInfo", nullptr, 12000, cudaEnableDefault, &result));
    cuMemGetInfo(&bytes, &total);

    cudaAsyncCallbackHandle_t handle;
    SAY(cudaDeviceRegisterAsyncNotification(0, told, nullptr, &handle));
    SAY(cudaDeviceRegisterAsyncNotification(0, nullptr, nullptr, &handle));
    SAY(cudaDeviceRegisterAsyncNotification(7, told, nullptr, &handle));
    SAY(cudaDeviceUnregisterAsyncNotification(7, handle));
    SAY(cudaDeviceUnregisterAsyncNotification(0, nullptr));
    SAY(cudaDeviceUnregisterAsyncNotification(0, handle));

    // Nothing to import.
    cudaExternalMemory_t memory;
    cudaExternalSemaphore_t semaphore;
    cudaExternalMemoryHandleDesc of_memory = {};
    cudaExternalSemaphoreHandleDesc of_semaphore = {};
    SAY(cudaImportExternalMemory(&memory, nullptr));
    SAY(cudaImportExternalMemory(&memory, &of_memory));
    of_memory.type = cudaExternalMemoryHandleTypeOpaqueFd;
    of_memory.size = 4096;
    SAY(cudaImportExternalMemory(&memory, &of_memory));
    of_semaphore.type = cudaExternalSemaphoreHandleTypeOpaqueFd;
    SAY(cudaImportExternalSemaphore(&semaphore, &of_semaphore));
    SAY(cudaExternalMemoryGetMappedBuffer(nullptr, nullptr, nullptr));
    SAY(cudaExternalMemoryGetMappedMipmappedArray(nullptr, nullptr, nullptr));
    SAY(cudaSignalExternalSemaphoresAsync(nullptr, nullptr, 0));
    SAY(cudaWaitExternalSemaphoresAsync(nullptr, nullptr, 0));
    SAY(cudaGraphicsResourceGetMappedPointer(nullptr, &bytes, nullptr));
    SAY(cudaGraphicsSubResourceGetMappedArray(nullptr, nullptr, 0, 0));
    SAY(cudaGraphicsResourceGetMappedMipmappedArray(nullptr, nullptr));
    SAY(cudaGraphicsMapResources(0, nullptr));
    SAY(cudaDeviceGetNvSciSyncAttributes(nullptr, 0, cudaNvSciSyncAttrSignal));
    SAY(cudaDeviceGetNvSciSyncAttributes(&value, 7, cudaNvSciSyncAttrSignal));
    SAY(cudaDeviceGetNvSciSyncAttributes(&value, 0, cudaNvSciSyncAttrSignal));
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddEmptyNode(&node, graph, nullptr, 0);
    cudaExternalSemaphoreSignalNodeParams signals = {};
    cudaExternalSemaphoreWaitNodeParams waits = {};
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    SAY(cudaGraphAddExternalSemaphoresSignalNode(&node, graph, nullptr, 0, nullptr));
    SAY(cudaGraphExternalSemaphoresSignalNodeGetParams(node, &signals));
    SAY(cudaGraphExternalSemaphoresSignalNodeSetParams(node, &signals));
    SAY(cudaGraphExecExternalSemaphoresSignalNodeSetParams(exec, node, &signals));
    SAY(cudaGraphAddExternalSemaphoresWaitNode(&node, graph, nullptr, 0, nullptr));
    SAY(cudaGraphExternalSemaphoresWaitNodeGetParams(node, &waits));
    SAY(cudaGraphExternalSemaphoresWaitNodeSetParams(node, &waits));
    SAY(cudaGraphExecExternalSemaphoresWaitNodeSetParams(exec, node, &waits));
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaUUID_t uuid = {};
    const void *table;
    SAY(cudaGetExportTable(&table, &uuid));
    cudaFree(d);
}
