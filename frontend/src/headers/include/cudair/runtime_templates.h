/* The C++ overloads of the runtime API: each calls the C function of the same name. */
#ifndef CUDAIR_RUNTIME_TEMPLATES_H
#define CUDAIR_RUNTIME_TEMPLATES_H

#include <cuda_runtime_api.h>

/* Allocation: any object pointer for void**. */
template <class T>
__CUDAIR_HD cudaError_t cudaMalloc(T** ptr, size_t size) {
    return ::cudaMalloc((void**)(void*)ptr, size);
}
template <class T>
__CUDAIR_H cudaError_t cudaMallocHost(T** ptr, size_t size, unsigned int flags = 0) {
    return flags ? ::cudaHostAlloc((void**)(void*)ptr, size, flags) : ::cudaMallocHost((void**)(void*)ptr, size);
}
__CUDAIR_H cudaError_t cudaMallocHost(void** ptr, size_t size, unsigned int flags) {
    return ::cudaHostAlloc(ptr, size, flags);
}
template <class T>
__CUDAIR_H cudaError_t cudaHostAlloc(T** ptr, size_t size, unsigned int flags) {
    return ::cudaHostAlloc((void**)(void*)ptr, size, flags);
}
template <class T>
__CUDAIR_H cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
    return ::cudaHostGetDevicePointer((void**)(void*)device, host, flags);
}
template <class T>
__CUDAIR_H cudaError_t cudaMallocManaged(T** ptr, size_t size, unsigned int flags = cudaMemAttachGlobal) {
    return ::cudaMallocManaged((void**)(void*)ptr, size, flags);
}
template <class T>
__CUDAIR_H cudaError_t cudaMallocPitch(T** ptr, size_t* pitch, size_t width, size_t height) {
    return ::cudaMallocPitch((void**)(void*)ptr, pitch, width, height);
}
__CUDAIR_H cudaError_t cudaMallocAsync(void** ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    return ::cudaMallocFromPoolAsync(ptr, size, pool, stream);
}
template <class T>
__CUDAIR_H cudaError_t cudaMallocAsync(T** ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    return ::cudaMallocFromPoolAsync((void**)(void*)ptr, size, pool, stream);
}
template <class T>
__CUDAIR_H cudaError_t cudaMallocAsync(T** ptr, size_t size, cudaStream_t stream) {
    return ::cudaMallocAsync((void**)(void*)ptr, size, stream);
}
template <class T>
__CUDAIR_H cudaError_t cudaMallocFromPoolAsync(T** ptr, size_t size, cudaMemPool_t pool,
                                               cudaStream_t stream) {
    return ::cudaMallocFromPoolAsync((void**)(void*)ptr, size, pool, stream);
}
template <class T>
__CUDAIR_H cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* ptr, size_t length = 0,
                                                unsigned int flags = cudaMemAttachSingle) {
    return ::cudaStreamAttachMemAsync(stream, (void*)ptr, length, flags);
}

/* CUDA 13's forms, which name the place instead of a device number. */
__CUDAIR_H cudaError_t cudaMemPrefetchAsync(const void* ptr, size_t count, cudaMemLocation location,
                                            unsigned int flags, cudaStream_t stream = 0) {
    return ::cudaMemPrefetchAsync_v2(ptr, count, location, flags, stream);
}
__CUDAIR_H cudaError_t cudaMemAdvise(const void* ptr, size_t count, cudaMemoryAdvise advice,
                                     cudaMemLocation location) {
    return ::cudaMemAdvise_v2(ptr, count, advice, location);
}

/* Symbols: a device variable stands for its shadow's address. */
template <class T>
__CUDAIR_H cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* src, size_t count, size_t offset = 0,
                                          cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return ::cudaMemcpyToSymbol((const void*)&symbol, src, count, offset, kind);
}
template <class T>
__CUDAIR_H cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* src, size_t count,
                                               size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                               cudaStream_t stream = 0) {
    return ::cudaMemcpyToSymbolAsync((const void*)&symbol, src, count, offset, kind, stream);
}
template <class T>
__CUDAIR_H cudaError_t cudaMemcpyFromSymbol(void* dst, const T& symbol, size_t count, size_t offset = 0,
                                            cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return ::cudaMemcpyFromSymbol(dst, (const void*)&symbol, count, offset, kind);
}
template <class T>
__CUDAIR_H cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const T& symbol, size_t count, size_t offset = 0,
                                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                 cudaStream_t stream = 0) {
    return ::cudaMemcpyFromSymbolAsync(dst, (const void*)&symbol, count, offset, kind, stream);
}
template <class T>
__CUDAIR_H cudaError_t cudaGetSymbolAddress(void** ptr, const T& symbol) {
    return ::cudaGetSymbolAddress(ptr, (const void*)&symbol);
}
template <class T, class P>
__CUDAIR_H cudaError_t cudaGetSymbolAddress(P** ptr, const T& symbol) {
    return ::cudaGetSymbolAddress((void**)(void*)ptr, (const void*)&symbol);
}
template <class T>
__CUDAIR_H cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
    return ::cudaGetSymbolSize(size, (const void*)&symbol);
}

/* Events, and kernels by address. */
__CUDAIR_H cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
    return ::cudaEventCreateWithFlags(event, flags);
}
template <class T>
__CUDAIR_H cudaError_t cudaLaunchKernel(T* func, dim3 grid, dim3 block, void** args, size_t shared = 0,
                                        cudaStream_t stream = 0) {
    return ::cudaLaunchKernel((const void*)func, grid, block, args, shared, stream);
}
template <class T>
__CUDAIR_H cudaError_t cudaLaunchCooperativeKernel(T* func, dim3 grid, dim3 block, void** args,
                                                   size_t shared = 0, cudaStream_t stream = 0) {
    return ::cudaLaunchCooperativeKernel((const void*)func, grid, block, args, shared, stream);
}
template <typename... Params, typename... Args>
__CUDAIR_H cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Params...),
                                          Args&&... args) {
    return [&](Params... converted) {
        void* pointers[sizeof...(Params) + 1] = {(void*)&converted...};
        return ::cudaLaunchKernelExC(config, (const void*)kernel, pointers);
    }(static_cast<Args&&>(args)...);
}
template <class T>
__CUDAIR_H cudaError_t cudaFuncSetCacheConfig(T* func, cudaFuncCache config) {
    return ::cudaFuncSetCacheConfig((const void*)func, config);
}
template <class T>
__CUDAIR_H cudaError_t cudaFuncSetSharedMemConfig(T* func, cudaSharedMemConfig config) {
    return ::cudaFuncSetSharedMemConfig((const void*)func, config);
}
template <class T>
__CUDAIR_H cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* entry) {
    return ::cudaFuncGetAttributes(attributes, (const void*)entry);
}
template <class T>
__CUDAIR_H cudaError_t cudaFuncSetAttribute(T* func, cudaFuncAttribute attribute, int value) {
    return ::cudaFuncSetAttribute((const void*)func, attribute, value);
}
template <class T>
__CUDAIR_H cudaError_t cudaFuncGetName(const char** name, T* func) {
    return ::cudaFuncGetName(name, (const void*)func);
}

#if !defined(__CUDAIR_PARTS) || defined(__CUDAIR_PART_INTEROP)
template <class T> static __inline__ __host__ cudaError_t cudaGetKernel(cudaKernel_t* kernel, T* function) {
    return cudaGetKernel(kernel, (const void*)function);
}
template <class T>
static __inline__ __host__ cudaError_t cudaLibraryGetGlobal(T** ptr, size_t* bytes, cudaLibrary_t library,
    const char* name) {
    return cudaLibraryGetGlobal((void**)(void*)ptr, bytes, library, name);
}
template <class T>
static __inline__ __host__ cudaError_t cudaLibraryGetManaged(T** ptr, size_t* bytes, cudaLibrary_t library,
    const char* name) {
    return cudaLibraryGetManaged((void**)(void*)ptr, bytes, library, name);
}
template <class T>
static __inline__ __host__ cudaError_t cudaLibraryGetUnifiedFunction(T** function, cudaLibrary_t library,
    const char* name) {
    return cudaLibraryGetUnifiedFunction((void**)(void*)function, library, name);
}
#endif
#if !defined(__CUDAIR_PARTS) || defined(__CUDAIR_PART_GRAPH)
/* Graphs. */
extern "C" __device__ cudaGraphExec_t cudaGetCurrentGraphExec(void);
extern "C" __device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);
/* The forms of CUDA 13, which tell of edges too. */
__CUDAIR_H cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                        const cudaGraphEdgeData* edges, size_t count, cudaGraphNodeParams* params) {
    return ::cudaGraphAddNode_v2(node, graph, before, edges, count, params);
}
__CUDAIR_H cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                                size_t count) {
    return ::cudaGraphAddDependencies_v2(graph, from, to, edges, count);
}
__CUDAIR_H cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                   const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                                   size_t count) {
    return ::cudaGraphRemoveDependencies_v2(graph, from, to, edges, count);
}
__CUDAIR_H cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                         cudaGraphEdgeData* edges, size_t* count) {
    return ::cudaGraphGetEdges_v2(graph, from, to, edges, count);
}
__CUDAIR_H cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* before,
                                                    cudaGraphEdgeData* edges, size_t* count) {
    return ::cudaGraphNodeGetDependencies_v2(node, before, edges, count);
}
__CUDAIR_H cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* behind,
                                                      cudaGraphEdgeData* edges, size_t* count) {
    return ::cudaGraphNodeGetDependentNodes_v2(node, behind, edges, count);
}
__CUDAIR_H cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                           const cudaGraphEdgeData* edges, size_t count,
                                                           unsigned int flags) {
    return ::cudaStreamUpdateCaptureDependencies_v2(stream, nodes, edges, count, flags);
}
__CUDAIR_H cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                                unsigned long long* id, cudaGraph_t* graph,
                                                const cudaGraphNode_t** before, const cudaGraphEdgeData** edges,
                                                size_t* count) {
    return ::cudaStreamGetCaptureInfo_v3(stream, status, id, graph, before, edges, count);
}
__CUDAIR_H cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                            cudaGraphNode_t* error_node, char* log, size_t log_size) {
    (void)error_node;
    (void)log;
    (void)log_size;
    return ::cudaGraphInstantiate(exec, graph, 0);
}
__CUDAIR_H cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                           cudaGraphNode_t* error_node, cudaGraphExecUpdateResult* result) {
    cudaGraphExecUpdateResultInfo info;
    cudaError_t status = ::cudaGraphExecUpdate(exec, graph, &info);
    if (error_node) *error_node = info.errorNode;
    if (result) *result = info.result;
    return status;
}
#endif

/* Occupancy. */
template <class T>
__CUDAIR_H cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T func, int block_size,
                                                                     size_t shared) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)func, block_size, shared);
}
template <class T>
__CUDAIR_H cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T func,
                                                                              int block_size, size_t shared,
                                                                              unsigned int flags) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void*)func, block_size,
                                                                    shared, flags);
}
template <class T>
__CUDAIR_H cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared, T* func, int blocks,
                                                                 int block_size) {
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(shared, (const void*)func, blocks, block_size);
}
template <class T>
__CUDAIR_H cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, T* func,
                                                            const cudaLaunchConfig_t* config) {
    return ::cudaOccupancyMaxPotentialClusterSize(size, (const void*)func, config);
}
template <class T>
__CUDAIR_H cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, T* func,
                                                      const cudaLaunchConfig_t* config) {
    return ::cudaOccupancyMaxActiveClusters(clusters, (const void*)func, config);
}

/* The block size with the most resident threads: tries each multiple of a warp, the largest first. */
template <class Shared, class T>
static inline __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int* min_grid, int* block_size, T func, Shared shared_of_block, int limit = 0, unsigned int flags = 0) {
    if (!min_grid || !block_size || !(const void*)func) return cudaErrorInvalidValue;
    int device, max_threads, warp, max_block, processors;
    cudaFuncAttributes attributes;
    cudaError_t status = ::cudaGetDevice(&device);
    if (status != cudaSuccess) return status;
    status = ::cudaDeviceGetAttribute(&max_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
    if (status != cudaSuccess) return status;
    status = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
    if (status != cudaSuccess) return status;
    status = ::cudaDeviceGetAttribute(&max_block, cudaDevAttrMaxThreadsPerBlock, device);
    if (status != cudaSuccess) return status;
    status = ::cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (status != cudaSuccess) return status;
    status = ::cudaFuncGetAttributes(&attributes, (const void*)func);
    if (status != cudaSuccess) return status;
    int top = attributes.maxThreadsPerBlock < max_block ? attributes.maxThreadsPerBlock : max_block;
    if (limit > 0 && limit < top) top = limit;
    int best_threads = 0, best_block = 0, best_blocks = 0;
    for (int rounded = (top + warp - 1) / warp * warp; rounded > 0; rounded -= warp) {
        int size = rounded < top ? rounded : top;
        int blocks;
        status = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &blocks, (const void*)func, size, (size_t)shared_of_block(size), flags);
        if (status != cudaSuccess) return status;
        if (size * blocks > best_threads) {
            best_threads = size * blocks;
            best_block = size;
            best_blocks = blocks;
        }
        if (best_threads == max_threads) break;
    }
    *min_grid = best_blocks * processors;
    *block_size = best_block;
    return cudaSuccess;
}
template <class Shared, class T>
__CUDAIR_H cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* min_grid, int* block_size, T func,
                                                                      Shared shared_of_block, int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(min_grid, block_size, func,
                                                                   shared_of_block, limit, 0);
}
struct __cudair_constant_shared {
    size_t bytes;
    __host__ __device__ size_t operator()(int) const { return bytes; }
};
template <class T>
__CUDAIR_H cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid, int* block_size, T func,
                                                          size_t shared = 0, int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        min_grid, block_size, func, __cudair_constant_shared{shared}, limit, 0);
}
template <class T>
__CUDAIR_H cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* min_grid, int* block_size, T func,
                                                                   size_t shared = 0, int limit = 0,
                                                                   unsigned int flags = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        min_grid, block_size, func, __cudair_constant_shared{shared}, limit, flags);
}

#endif
