// What an older device does not have: pools of memory, and limits of newer ones; what it has and newer ones have not.
// revisions: old new
//[old] flags: --device K40
//[new] flags: --device H100
#include <cstdio>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

int main() {
    cudaMemPool_t pool;
    void *p = nullptr;
    int supported;
    size_t size;
    cudaMemPoolProps how = {};
    how.allocType = cudaMemAllocationTypePinned;
    how.location = {cudaMemLocationTypeDevice, 0};
    cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0);
    printf("pools: %d\n", supported);
    SAY(cudaDeviceGetDefaultMemPool(&pool, 0));
    SAY(cudaDeviceGetMemPool(&pool, 0));
    if (!supported)
        pool = nullptr;
    SAY(cudaDeviceSetMemPool(0, pool));
    SAY(cudaMallocFromPoolAsync(&p, 4, pool, 0));
    SAY(cudaFreeAsync(p, 0));
    SAY(cudaMallocAsync(&p, 4, 0));
    SAY(cudaFreeAsync(p, 0));
    SAY(cudaMemPoolCreate(&pool, &how));
    cudaGraph_t graph;
    cudaGraphNode_t alloc, release;
    cudaMemAllocNodeParams memory = {};
    memory.poolProps = how;
    memory.bytesize = 64;
    cudaGraphCreate(&graph, 0);
    SAY(cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &memory));
    SAY(cudaGraphAddMemFreeNode(&release, graph, supported ? &alloc : nullptr, supported, memory.dptr));
    cudaGraphDestroy(graph);
    SAY(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4));
    SAY(cudaDeviceGetLimit(&size, cudaLimitDevRuntimeSyncDepth));
    SAY(cudaThreadSetLimit(cudaLimitDevRuntimeSyncDepth, 4));
    SAY(cudaThreadGetLimit(&size, cudaLimitDevRuntimeSyncDepth));
    SAY(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 32));
    SAY(cudaDeviceGetLimit(&size, cudaLimitMaxL2FetchGranularity));
    SAY(cudaDeviceGetLimit(&size, cudaLimitPersistingL2CacheSize));
}
