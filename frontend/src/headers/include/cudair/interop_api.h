/* Kernels and libraries as handles, functions of the driver by name, and what only means something beside other
   interfaces: external memory and semaphores, graphics. Included by cuda_runtime_api.h. */
#ifndef CUDAIR_INTEROP_API_H
#define CUDAIR_INTEROP_API_H

enum cudaGraphicsRegisterFlags {
    cudaGraphicsRegisterFlagsNone, cudaGraphicsRegisterFlagsReadOnly,
    cudaGraphicsRegisterFlagsWriteDiscard, cudaGraphicsRegisterFlagsSurfaceLoadStore = 4,
    cudaGraphicsRegisterFlagsTextureGather = 8
};
enum cudaGraphicsMapFlags {
    cudaGraphicsMapFlagsNone, cudaGraphicsMapFlagsReadOnly, cudaGraphicsMapFlagsWriteDiscard
};
enum cudaGraphicsCubeFace {
    cudaGraphicsCubeFacePositiveX, cudaGraphicsCubeFaceNegativeX, cudaGraphicsCubeFacePositiveY,
    cudaGraphicsCubeFaceNegativeY, cudaGraphicsCubeFacePositiveZ, cudaGraphicsCubeFaceNegativeZ
};
enum cudaExternalMemoryHandleType {
    cudaExternalMemoryHandleTypeOpaqueFd = 1, cudaExternalMemoryHandleTypeOpaqueWin32,
    cudaExternalMemoryHandleTypeOpaqueWin32Kmt, cudaExternalMemoryHandleTypeD3D12Heap,
    cudaExternalMemoryHandleTypeD3D12Resource, cudaExternalMemoryHandleTypeD3D11Resource,
    cudaExternalMemoryHandleTypeD3D11ResourceKmt, cudaExternalMemoryHandleTypeNvSciBuf
};
struct cudaExternalMemoryHandleDesc {
    enum cudaExternalMemoryHandleType type;
    union {
        int fd;
        struct {
            void* handle;
            const void* name;
        } win32;
        const void* nvSciBufObject;
    } handle;
    unsigned long long size;
    unsigned int flags;
};
struct cudaExternalMemoryBufferDesc {
    unsigned long long offset;
    unsigned long long size;
    unsigned int flags;
};
struct cudaExternalMemoryMipmappedArrayDesc {
    unsigned long long offset;
    struct cudaChannelFormatDesc formatDesc;
    struct cudaExtent extent;
    unsigned int flags;
    unsigned int numLevels;
};
enum cudaExternalSemaphoreHandleType {
    cudaExternalSemaphoreHandleTypeOpaqueFd = 1, cudaExternalSemaphoreHandleTypeOpaqueWin32,
    cudaExternalSemaphoreHandleTypeOpaqueWin32Kmt, cudaExternalSemaphoreHandleTypeD3D12Fence,
    cudaExternalSemaphoreHandleTypeD3D11Fence, cudaExternalSemaphoreHandleTypeNvSciSync,
    cudaExternalSemaphoreHandleTypeKeyedMutex, cudaExternalSemaphoreHandleTypeKeyedMutexKmt,
    cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd,
    cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32
};
struct cudaExternalSemaphoreHandleDesc {
    enum cudaExternalSemaphoreHandleType type;
    union {
        int fd;
        struct {
            void* handle;
            const void* name;
        } win32;
        const void* nvSciSyncObj;
    } handle;
    unsigned int flags;
};
struct cudaExternalSemaphoreSignalParams {
    struct {
        struct {
            unsigned long long value;
        } fence;
        union {
            void* fence;
            unsigned long long reserved;
        } nvSciSync;
        struct {
            unsigned long long key;
        } keyedMutex;
        unsigned int reserved[12];
    } params;
    unsigned int flags;
    unsigned int reserved[16];
};
struct cudaExternalSemaphoreWaitParams {
    struct {
        struct {
            unsigned long long value;
        } fence;
        union {
            void* fence;
            unsigned long long reserved;
        } nvSciSync;
        struct {
            unsigned long long key;
            unsigned int timeoutMs;
        } keyedMutex;
        unsigned int reserved[10];
    } params;
    unsigned int flags;
    unsigned int reserved[16];
};
typedef struct cudaGraphicsResource* cudaGraphicsResource_t;
typedef struct CUexternalMemory_st* cudaExternalMemory_t;
typedef struct CUexternalSemaphore_st* cudaExternalSemaphore_t;
typedef struct CUkern_st* cudaKernel_t;
enum cudaJitOption {
    cudaJitMaxRegisters, cudaJitThreadsPerBlock, cudaJitWallTime, cudaJitInfoLogBuffer,
    cudaJitInfoLogBufferSizeBytes, cudaJitErrorLogBuffer, cudaJitErrorLogBufferSizeBytes,
    cudaJitOptimizationLevel, cudaJitFallbackStrategy = 10, cudaJitGenerateDebugInfo, cudaJitLogVerbose,
    cudaJitGenerateLineInfo, cudaJitCacheMode, cudaJitPositionIndependentCode = 30, cudaJitMinCtaPerSm,
    cudaJitMaxThreadsPerBlock, cudaJitOverrideDirectiveValues
};
enum cudaLibraryOption { cudaLibraryHostUniversalFunctionAndDataTable, cudaLibraryBinaryIsPreserved };
struct cudalibraryHostUniversalFunctionAndDataTable {
    void* functionTable;
    size_t functionWindowSize;
    void* dataTable;
    size_t dataWindowSize;
};
enum cudaJit_CacheMode { cudaJitCacheOptionNone, cudaJitCacheOptionCG, cudaJitCacheOptionCA };
enum cudaJit_Fallback { cudaPreferPtx, cudaPreferBinary };
typedef struct CUlib_st* cudaLibrary_t;
struct cudaExternalSemaphoreSignalNodeParams {
    cudaExternalSemaphore_t* extSemArray;
    const struct cudaExternalSemaphoreSignalParams* paramsArray;
    unsigned int numExtSems;
};
struct cudaExternalSemaphoreWaitNodeParams {
    cudaExternalSemaphore_t* extSemArray;
    const struct cudaExternalSemaphoreWaitParams* paramsArray;
    unsigned int numExtSems;
};
enum cudaGetDriverEntryPointFlags { cudaEnableDefault, cudaEnableLegacyStream, cudaEnablePerThreadDefaultStream };
enum cudaDriverEntryPointQueryResult {
    cudaDriverEntryPointSuccess, cudaDriverEntryPointSymbolNotFound,
    cudaDriverEntryPointVersionNotSufficent
};
typedef struct cudaAsyncCallbackEntry* cudaAsyncCallbackHandle_t;
enum cudaAsyncNotificationType_enum { cudaAsyncNotificationTypeOverBudget = 1 };
typedef enum cudaAsyncNotificationType_enum cudaAsyncNotificationType;
struct cudaAsyncNotificationInfo {
    cudaAsyncNotificationType type;
    union {
        struct {
            unsigned long long bytesOverBudget;
        } overBudget;
    } info;
};
typedef struct cudaAsyncNotificationInfo cudaAsyncNotificationInfo_t;
typedef void (*cudaAsyncCallback)(cudaAsyncNotificationInfo_t* , void* , cudaAsyncCallbackHandle_t);

#define cudaExternalMemoryDedicated 0x1
#define cudaExternalSemaphoreSignalSkipNvSciBufMemSync 0x01
#define cudaExternalSemaphoreWaitSkipNvSciBufMemSync 0x02
#define cudaNvSciSyncAttrSignal 0x1
#define cudaNvSciSyncAttrWait 0x2

cudaError_t cudaDeviceRegisterAsyncNotification(int, cudaAsyncCallback, void*, cudaAsyncCallbackHandle_t*);
cudaError_t cudaDeviceUnregisterAsyncNotification(int, cudaAsyncCallbackHandle_t);
cudaError_t cudaDeviceGetNvSciSyncAttributes(void*, int, int);
cudaError_t cudaImportExternalMemory(cudaExternalMemory_t*, const struct cudaExternalMemoryHandleDesc*);
cudaError_t cudaExternalMemoryGetMappedBuffer(void**, cudaExternalMemory_t, const struct
    cudaExternalMemoryBufferDesc*);
cudaError_t cudaExternalMemoryGetMappedMipmappedArray(cudaMipmappedArray_t*, cudaExternalMemory_t, const
    struct cudaExternalMemoryMipmappedArrayDesc*);
cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t);
cudaError_t cudaImportExternalSemaphore(cudaExternalSemaphore_t*, const struct
    cudaExternalSemaphoreHandleDesc*);
cudaError_t cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t*,
    const struct cudaExternalSemaphoreSignalParams*, unsigned int, cudaStream_t __CUDAIR_DV(0));
cudaError_t cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t*,
    const struct cudaExternalSemaphoreWaitParams*, unsigned int, cudaStream_t __CUDAIR_DV(0));
cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t);
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t);
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t, unsigned int);
cudaError_t cudaGraphicsMapResources(int, cudaGraphicsResource_t*, cudaStream_t __CUDAIR_DV(0));
cudaError_t cudaGraphicsUnmapResources(int, cudaGraphicsResource_t*, cudaStream_t __CUDAIR_DV(0));
cudaError_t cudaGraphicsResourceGetMappedPointer(void**, size_t*, cudaGraphicsResource_t);
cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t*, cudaGraphicsResource_t, unsigned int,
    unsigned int);
cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t*, cudaGraphicsResource_t);
cudaError_t cudaGraphAddExternalSemaphoresSignalNode(cudaGraphNode_t*, cudaGraph_t, const
    cudaGraphNode_t*, size_t, const struct cudaExternalSemaphoreSignalNodeParams*);
cudaError_t cudaGraphExternalSemaphoresSignalNodeGetParams(cudaGraphNode_t, struct
    cudaExternalSemaphoreSignalNodeParams*);
cudaError_t cudaGraphExternalSemaphoresSignalNodeSetParams(cudaGraphNode_t, const struct
    cudaExternalSemaphoreSignalNodeParams*);
cudaError_t cudaGraphAddExternalSemaphoresWaitNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*,
    size_t, const struct cudaExternalSemaphoreWaitNodeParams*);
cudaError_t cudaGraphExternalSemaphoresWaitNodeGetParams(cudaGraphNode_t, struct
    cudaExternalSemaphoreWaitNodeParams*);
cudaError_t cudaGraphExternalSemaphoresWaitNodeSetParams(cudaGraphNode_t, const struct
    cudaExternalSemaphoreWaitNodeParams*);
cudaError_t cudaGraphExecExternalSemaphoresSignalNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, const
    struct cudaExternalSemaphoreSignalNodeParams*);
cudaError_t cudaGraphExecExternalSemaphoresWaitNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, const
    struct cudaExternalSemaphoreWaitNodeParams*);
cudaError_t cudaGetDriverEntryPoint(const char*, void**, unsigned long long, enum
    cudaDriverEntryPointQueryResult* __CUDAIR_DV(NULL));
cudaError_t cudaGetDriverEntryPointByVersion(const char*, void**, unsigned int, unsigned long long, enum
    cudaDriverEntryPointQueryResult* __CUDAIR_DV(NULL));
cudaError_t cudaLibraryLoadData(cudaLibrary_t*, const void*, enum cudaJitOption*, void**, unsigned int,
    enum cudaLibraryOption*, void**, unsigned int);
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t*, const char*, enum cudaJitOption*, void**, unsigned
    int, enum cudaLibraryOption*, void**, unsigned int);
cudaError_t cudaLibraryUnload(cudaLibrary_t);
cudaError_t cudaLibraryGetKernel(cudaKernel_t*, cudaLibrary_t, const char*);
cudaError_t cudaLibraryGetGlobal(void**, size_t*, cudaLibrary_t, const char*);
cudaError_t cudaLibraryGetManaged(void**, size_t*, cudaLibrary_t, const char*);
cudaError_t cudaLibraryGetUnifiedFunction(void**, cudaLibrary_t, const char*);
cudaError_t cudaLibraryGetKernelCount(unsigned int*, cudaLibrary_t);
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t*, unsigned int, cudaLibrary_t);
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t, enum cudaFuncAttribute, int, int);
cudaError_t cudaGetExportTable(const void**, const cudaUUID_t*);
cudaError_t cudaGetKernel(cudaKernel_t*, const void*);

/* Names with their version, for what goes by the name alone. */
#define cudaSignalExternalSemaphoresAsync_v2 cudaSignalExternalSemaphoresAsync
#define cudaWaitExternalSemaphoresAsync_v2 cudaWaitExternalSemaphoresAsync

#endif
