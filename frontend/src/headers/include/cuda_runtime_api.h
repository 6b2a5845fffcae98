/* The CUDA runtime's C interface, as version 12.9 has it, with the older names it kept. */
#ifndef CUDAIR_CUDA_RUNTIME_API_H
#define CUDAIR_CUDA_RUNTIME_API_H

/* nvcc has read this before the program says so; a compiler of the host has not. */
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) && !defined(__CUDA__)
#error "cudair does not support CUDA_API_PER_THREAD_DEFAULT_STREAM: name cudaStreamPerThread in the program"
#endif

#include "host_defines.h"
#include "driver_types.h"
#include "device_types.h"
#include "texture_types.h"
#include "surface_types.h"
#include "vector_types.h"

/* 12090 is CUDA 12.9; the parser may ask for another version by __CUDAIR_CUDA_VERSION. */
#define CUDART_VERSION __CUDAIR_CUDA_VERSION
#define __CUDART_API_VERSION CUDART_VERSION

__CUDAIR_C_BEGIN

typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void*);

/* Errors and versions */
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceSetLimit(enum cudaLimit, size_t);
cudaError_t cudaDeviceGetLimit(size_t*, enum cudaLimit);
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t*, const struct cudaChannelFormatDesc*, int);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache*);
cudaError_t cudaDeviceGetStreamPriorityRange(int*, int*);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache);
cudaError_t cudaDeviceGetByPCIBusId(int*, const char*);
cudaError_t cudaDeviceGetPCIBusId(char*, int, int);
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget,
    enum cudaFlushGPUDirectRDMAWritesScope);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig*);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig);
cudaError_t cudaThreadExit(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadSetLimit(enum cudaLimit, size_t);
cudaError_t cudaThreadGetLimit(size_t*, enum cudaLimit);
cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache*);
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache);
__CUDAIR_BOTH cudaError_t cudaGetLastError(void);
__CUDAIR_BOTH cudaError_t cudaPeekAtLastError(void);
__CUDAIR_BOTH const char* cudaGetErrorName(cudaError_t);
__CUDAIR_BOTH const char* cudaGetErrorString(cudaError_t);
__CUDAIR_BOTH cudaError_t cudaGetDeviceCount(int*);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp*, int);
cudaError_t cudaDeviceGetAttribute(int*, enum cudaDeviceAttr, int);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t*, int);
cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t*, int);
cudaError_t cudaDeviceGetP2PAttribute(int*, enum cudaDeviceP2PAttr, int, int);
cudaError_t cudaChooseDevice(int*, const struct cudaDeviceProp*);
cudaError_t cudaInitDevice(int, unsigned int, unsigned int);
cudaError_t cudaSetDevice(int);
__CUDAIR_BOTH cudaError_t cudaGetDevice(int*);
cudaError_t cudaSetValidDevices(int*, int);
cudaError_t cudaSetDeviceFlags(unsigned int);
cudaError_t cudaGetDeviceFlags(unsigned int*);
cudaError_t cudaStreamCreate(cudaStream_t*);
__CUDAIR_BOTH cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned int);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t*, unsigned int, int);
cudaError_t cudaStreamGetPriority(cudaStream_t, int*);
cudaError_t cudaStreamGetFlags(cudaStream_t, unsigned int*);
cudaError_t cudaStreamGetId(cudaStream_t, unsigned long long*);
cudaError_t cudaStreamGetDevice(cudaStream_t, int*);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaStreamCopyAttributes(cudaStream_t, cudaStream_t);
cudaError_t cudaStreamGetAttribute(cudaStream_t, cudaLaunchAttributeID, cudaLaunchAttributeValue*);
cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaLaunchAttributeID,
    const cudaLaunchAttributeValue*);
__CUDAIR_BOTH cudaError_t cudaStreamDestroy(cudaStream_t);
__CUDAIR_BOTH cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned int __CUDAIR_DV(0));
cudaError_t cudaStreamAddCallback(cudaStream_t, cudaStreamCallback_t, void*, unsigned int);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t __CUDAIR_DV(0),
    unsigned int __CUDAIR_DV(cudaMemAttachSingle));
cudaError_t cudaStreamIsCapturing(cudaStream_t, enum cudaStreamCaptureStatus*);
cudaError_t cudaEventCreate(cudaEvent_t*);
__CUDAIR_BOTH cudaError_t cudaEventCreateWithFlags(cudaEvent_t*, unsigned int);
__CUDAIR_BOTH cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t __CUDAIR_DV(0));
cudaError_t cudaEventRecordWithFlags(cudaEvent_t, cudaStream_t __CUDAIR_DV(0),
    unsigned int __CUDAIR_DV(0));
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventSynchronize(cudaEvent_t);
__CUDAIR_BOTH cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t);
cudaError_t cudaEventElapsedTime_v2(float*, cudaEvent_t, cudaEvent_t);
cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**);
cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t);
cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams*, unsigned int,
    unsigned int __CUDAIR_DV(0));
cudaError_t cudaFuncSetCacheConfig(const void*, enum cudaFuncCache);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes*, const void*);
cudaError_t cudaFuncSetAttribute(const void*, enum cudaFuncAttribute, int);
cudaError_t cudaFuncGetName(const char**, const void*);
cudaError_t cudaFuncGetParamInfo(const void*, size_t, size_t*, size_t*);
cudaError_t cudaSetDoubleForDevice(double*);
cudaError_t cudaSetDoubleForHost(double*);
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void*);
cudaError_t cudaFuncSetSharedMemConfig(const void*, enum cudaSharedMemConfig);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int*, const void*, int, size_t);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t*, const void*, int, int);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int*, const void*, int, size_t,
    unsigned int);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int*, const void*, const cudaLaunchConfig_t*);
cudaError_t cudaOccupancyMaxActiveClusters(int*, const void*, const cudaLaunchConfig_t*);
cudaError_t cudaMallocManaged(void**, size_t, unsigned int __CUDAIR_DV(cudaMemAttachGlobal));
__CUDAIR_BOTH cudaError_t cudaMalloc(void**, size_t);
cudaError_t cudaMallocHost(void**, size_t);
cudaError_t cudaMallocPitch(void**, size_t*, size_t, size_t);
cudaError_t cudaMallocArray(cudaArray_t*, const struct cudaChannelFormatDesc*, size_t,
    size_t __CUDAIR_DV(0), unsigned int __CUDAIR_DV(0));
__CUDAIR_BOTH cudaError_t cudaFree(void*);
cudaError_t cudaFreeHost(void*);
cudaError_t cudaFreeArray(cudaArray_t);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t);
cudaError_t cudaHostAlloc(void**, size_t, unsigned int);
cudaError_t cudaHostRegister(void*, size_t, unsigned int);
cudaError_t cudaHostUnregister(void*);
cudaError_t cudaHostGetDevicePointer(void**, void*, unsigned int);
cudaError_t cudaHostGetFlags(unsigned int*, void*);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr*, struct cudaExtent);
cudaError_t cudaMalloc3DArray(cudaArray_t*, const struct cudaChannelFormatDesc*, struct cudaExtent,
    unsigned int __CUDAIR_DV(0));
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t*, const struct cudaChannelFormatDesc*,
    struct cudaExtent, unsigned int, unsigned int __CUDAIR_DV(0));
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t*, cudaMipmappedArray_const_t, unsigned int);
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms*);
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms*);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms*, cudaStream_t __CUDAIR_DV(0));
cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms*, cudaStream_t __CUDAIR_DV(0));
cudaError_t cudaMemGetInfo(size_t*, size_t*);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc*, struct cudaExtent*, unsigned int*,
    cudaArray_t);
cudaError_t cudaArrayGetPlane(cudaArray_t*, cudaArray_t, unsigned int);
cudaError_t cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements*, cudaArray_t, int);
cudaError_t cudaMipmappedArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements*,
    cudaMipmappedArray_t, int);
cudaError_t cudaArrayGetSparseProperties(struct cudaArraySparseProperties*, cudaArray_t);
cudaError_t cudaMipmappedArrayGetSparseProperties(struct cudaArraySparseProperties*,
    cudaMipmappedArray_t);
cudaError_t cudaMemcpy(void*, const void*, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpyPeer(void*, int, const void*, int, size_t);
cudaError_t cudaMemcpy2D(void*, size_t, const void*, size_t, size_t, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t, size_t, size_t, const void*, size_t, size_t, size_t,
    enum cudaMemcpyKind);
cudaError_t cudaMemcpy2DFromArray(void*, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t,
    enum cudaMemcpyKind);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t, size_t, size_t, cudaArray_const_t, size_t, size_t,
    size_t, size_t, enum cudaMemcpyKind kind __CUDAIR_DV(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpyToSymbol(const void*, const void*, size_t, size_t __CUDAIR_DV(0),
    enum cudaMemcpyKind kind __CUDAIR_DV(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyFromSymbol(void*, const void*, size_t, size_t __CUDAIR_DV(0), enum cudaMemcpyKind
    kind __CUDAIR_DV(cudaMemcpyDeviceToHost));
__CUDAIR_BOTH cudaError_t cudaMemcpyAsync(void*, const void*, size_t, enum cudaMemcpyKind,
    cudaStream_t __CUDAIR_DV(0));
cudaError_t cudaMemcpyPeerAsync(void*, int, const void*, int, size_t, cudaStream_t __CUDAIR_DV(0));
cudaError_t cudaMemcpyBatchAsync(void**, void**, size_t*, size_t, struct cudaMemcpyAttributes*, size_t*,
    size_t, size_t*, cudaStream_t);
cudaError_t cudaMemcpy3DBatchAsync(size_t, struct cudaMemcpy3DBatchOp*, size_t*, unsigned long long,
    cudaStream_t);
cudaError_t cudaMemcpy2DAsync(void*, size_t, const void*, size_t, size_t, size_t, enum cudaMemcpyKind,
    cudaStream_t __CUDAIR_DV(0));
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t, size_t, size_t, const void*, size_t, size_t, size_t,
    enum cudaMemcpyKind, cudaStream_t __CUDAIR_DV(0));
cudaError_t cudaMemcpy2DFromArrayAsync(void*, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t,
    enum cudaMemcpyKind, cudaStream_t __CUDAIR_DV(0));
cudaError_t cudaMemcpyToSymbolAsync(const void*, const void*, size_t, size_t, enum cudaMemcpyKind,
    cudaStream_t __CUDAIR_DV(0));
cudaError_t cudaMemcpyFromSymbolAsync(void*, const void*, size_t, size_t, enum cudaMemcpyKind,
    cudaStream_t __CUDAIR_DV(0));
cudaError_t cudaMemset(void*, int, size_t);
cudaError_t cudaMemset2D(void*, size_t, int, size_t, size_t);
cudaError_t cudaMemset3D(struct cudaPitchedPtr, int, struct cudaExtent);
__CUDAIR_BOTH cudaError_t cudaMemsetAsync(void*, int, size_t, cudaStream_t __CUDAIR_DV(0));
cudaError_t cudaMemset2DAsync(void*, size_t, int, size_t, size_t, cudaStream_t __CUDAIR_DV(0));
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr, int, struct cudaExtent,
    cudaStream_t __CUDAIR_DV(0));
cudaError_t cudaGetSymbolAddress(void**, const void*);
cudaError_t cudaGetSymbolSize(size_t*, const void*);
cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t __CUDAIR_DV(0));
cudaError_t cudaMemPrefetchAsync_v2(const void*, size_t, struct cudaMemLocation, unsigned int,
    cudaStream_t __CUDAIR_DV(0));
cudaError_t cudaMemAdvise(const void*, size_t, enum cudaMemoryAdvise, int);
cudaError_t cudaMemAdvise_v2(const void*, size_t, enum cudaMemoryAdvise, struct cudaMemLocation);
cudaError_t cudaMemRangeGetAttribute(void*, size_t, enum cudaMemRangeAttribute, const void*, size_t);
cudaError_t cudaMemRangeGetAttributes(void**, size_t*, enum cudaMemRangeAttribute*, size_t, const void*,
    size_t);
cudaError_t cudaMemcpyToArray(cudaArray_t, size_t, size_t, const void*, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpyFromArray(void*, cudaArray_const_t, size_t, size_t, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpyArrayToArray(cudaArray_t, size_t, size_t, cudaArray_const_t, size_t, size_t,
    size_t, enum cudaMemcpyKind kind __CUDAIR_DV(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t, size_t, size_t, const void*, size_t,
    enum cudaMemcpyKind, cudaStream_t __CUDAIR_DV(0));
cudaError_t cudaMemcpyFromArrayAsync(void*, cudaArray_const_t, size_t, size_t, size_t,
    enum cudaMemcpyKind, cudaStream_t __CUDAIR_DV(0));
cudaError_t cudaMallocAsync(void**, size_t, cudaStream_t);
cudaError_t cudaFreeAsync(void*, cudaStream_t);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, enum cudaMemPoolAttr, void*);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, enum cudaMemPoolAttr, void*);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const struct cudaMemAccessDesc*, size_t);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags*, cudaMemPool_t, struct cudaMemLocation*);
cudaError_t cudaMemPoolCreate(cudaMemPool_t*, const struct cudaMemPoolProps*);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t);
cudaError_t cudaMallocFromPoolAsync(void**, size_t, cudaMemPool_t, cudaStream_t);
cudaError_t cudaMemPoolExportToShareableHandle(void*, cudaMemPool_t, enum cudaMemAllocationHandleType,
    unsigned int);
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t*, void*,
    enum cudaMemAllocationHandleType, unsigned int);
cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData*, void*);
cudaError_t cudaMemPoolImportPointer(void**, cudaMemPool_t, struct cudaMemPoolPtrExportData*);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t*, cudaEvent_t);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t*, cudaIpcEventHandle_t);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t*, void*);
cudaError_t cudaIpcOpenMemHandle(void**, cudaIpcMemHandle_t, unsigned int);
cudaError_t cudaIpcCloseMemHandle(void*);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes*, const void*);
cudaError_t cudaDeviceCanAccessPeer(int*, int, int);
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int);
cudaError_t cudaDeviceDisablePeerAccess(int);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc*, cudaArray_const_t);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t*, const struct cudaResourceDesc*,
    const struct cudaTextureDesc*, const struct cudaResourceViewDesc*);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc*, cudaTextureObject_t);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc*, cudaTextureObject_t);
cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc*, cudaTextureObject_t);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t*, const struct cudaResourceDesc*);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc*, cudaSurfaceObject_t);
cudaError_t cudaDriverGetVersion(int*);
cudaError_t cudaRuntimeGetVersion(int*);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t*, const void*);

/* Devices */


/* Memory */


/* Copies and fills */


/* Streams and events */


/* Launches, functions, occupancy */


/* Memory pools */


/* Arrays, textures, surfaces */
static __inline__ struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
    enum cudaChannelFormatKind f) {
    struct cudaChannelFormatDesc d;
    d.x = x;
    d.y = y;
    d.z = z;
    d.w = w;
    d.f = f;
    return d;
}

/* Names of CUDA 13 for what 12.9 calls differently. */
#define cudaStreamGetCaptureInfo cudaStreamGetCaptureInfo_v2

#if !defined(__CUDAIR_PARTS) || defined(__CUDAIR_PART_GRAPH)
#include "cudair/graph_api.h"
#endif
#if !defined(__CUDAIR_PARTS) || defined(__CUDAIR_PART_INTEROP)
#include "cudair/interop_api.h"
#endif

__CUDAIR_C_END

#endif
