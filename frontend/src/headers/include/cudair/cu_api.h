/* Functions of the driver interface, as version 12.9 has them. Included by cuda.h. Those that the simulated device does
   not have are known by name; a call of one is unsupported. */
#ifndef CUDAIR_CU_API_H
#define CUDAIR_CU_API_H

CUresult cuGetErrorString(CUresult, const char**);
CUresult cuGetErrorName(CUresult, const char**);
CUresult cuInit(unsigned int);
CUresult cuDriverGetVersion(int*);
CUresult cuDeviceGet(CUdevice*, int);
CUresult cuDeviceGetCount(int*);
CUresult cuDeviceGetName(char*, int, CUdevice);
CUresult cuDeviceGetUuid(CUuuid*, CUdevice);
CUresult cuDeviceGetUuid_v2(CUuuid*, CUdevice);
CUresult cuDeviceGetLuid(char*, unsigned int*, CUdevice);
CUresult cuDeviceTotalMem(size_t*, CUdevice);
CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t*, CUarray_format, unsigned int, CUdevice);
CUresult cuDeviceGetAttribute(int*, CUdevice_attribute, CUdevice);
CUresult cuDeviceGetNvSciSyncAttributes(void*, CUdevice, int);
CUresult cuDeviceSetMemPool(CUdevice, CUmemoryPool);
CUresult cuDeviceGetMemPool(CUmemoryPool*, CUdevice);
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool*, CUdevice);
CUresult cuDeviceGetExecAffinitySupport(int*, CUexecAffinityType, CUdevice);
CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget, CUflushGPUDirectRDMAWritesScope);
CUresult cuDeviceGetProperties(CUdevprop*, CUdevice);
CUresult cuDeviceComputeCapability(int*, int*, CUdevice);
CUresult cuDevicePrimaryCtxRetain(CUcontext*, CUdevice);
CUresult cuDevicePrimaryCtxRelease(CUdevice);
CUresult cuDevicePrimaryCtxSetFlags(CUdevice, unsigned int);
CUresult cuDevicePrimaryCtxGetState(CUdevice, unsigned int*, int*);
CUresult cuDevicePrimaryCtxReset(CUdevice);
CUresult cuCtxCreate(CUcontext*, unsigned int, CUdevice);
CUresult cuCtxCreate_v3(CUcontext*, CUexecAffinityParam*, int, unsigned int, CUdevice);
CUresult cuCtxCreate_v4(CUcontext*, CUctxCreateParams*, unsigned int, CUdevice);
CUresult cuCtxDestroy(CUcontext);
CUresult cuCtxPushCurrent(CUcontext);
CUresult cuCtxPopCurrent(CUcontext*);
CUresult cuCtxSetCurrent(CUcontext);
CUresult cuCtxGetCurrent(CUcontext*);
CUresult cuCtxGetDevice(CUdevice*);
CUresult cuCtxGetFlags(unsigned int*);
CUresult cuCtxSetFlags(unsigned int);
CUresult cuCtxGetId(CUcontext, unsigned long long*);
CUresult cuCtxSynchronize(void);
CUresult cuCtxSetLimit(CUlimit, size_t);
CUresult cuCtxGetLimit(size_t*, CUlimit);
CUresult cuCtxGetCacheConfig(CUfunc_cache*);
CUresult cuCtxSetCacheConfig(CUfunc_cache);
CUresult cuCtxGetApiVersion(CUcontext, unsigned int*);
CUresult cuCtxGetStreamPriorityRange(int*, int*);
CUresult cuCtxResetPersistingL2Cache(void);
CUresult cuCtxGetExecAffinity(CUexecAffinityParam*, CUexecAffinityType);
CUresult cuCtxRecordEvent(CUcontext, CUevent);
CUresult cuCtxWaitEvent(CUcontext, CUevent);
CUresult cuCtxAttach(CUcontext*, unsigned int);
CUresult cuCtxDetach(CUcontext);
CUresult cuCtxGetSharedMemConfig(CUsharedconfig*);
CUresult cuCtxSetSharedMemConfig(CUsharedconfig);
CUresult cuModuleLoad(CUmodule*, const char*);
CUresult cuModuleLoadData(CUmodule*, const void*);
CUresult cuModuleLoadDataEx(CUmodule*, const void*, unsigned int, CUjit_option*, void**);
CUresult cuModuleLoadFatBinary(CUmodule*, const void*);
CUresult cuModuleUnload(CUmodule);
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode*);
CUresult cuModuleGetFunction(CUfunction*, CUmodule, const char*);
CUresult cuModuleGetFunctionCount(unsigned int*, CUmodule);
CUresult cuModuleEnumerateFunctions(CUfunction*, unsigned int, CUmodule);
CUresult cuModuleGetGlobal(CUdeviceptr*, size_t*, CUmodule, const char*);
CUresult cuLinkCreate(unsigned int, CUjit_option*, void**, CUlinkState*);
CUresult cuLinkAddData(CUlinkState, CUjitInputType, void*, size_t, const char*, unsigned int,
    CUjit_option*, void**);
CUresult cuLinkAddFile(CUlinkState, CUjitInputType, const char*, unsigned int, CUjit_option*, void**);
CUresult cuLinkComplete(CUlinkState, void**, size_t*);
CUresult cuLinkDestroy(CUlinkState);
CUresult cuModuleGetTexRef(CUtexref*, CUmodule, const char*);
CUresult cuModuleGetSurfRef(CUsurfref*, CUmodule, const char*);
CUresult cuLibraryLoadData(CUlibrary*, const void*, CUjit_option*, void**, unsigned int, CUlibraryOption*,
    void**, unsigned int);
CUresult cuLibraryLoadFromFile(CUlibrary*, const char*, CUjit_option*, void**, unsigned int,
    CUlibraryOption*, void**, unsigned int);
CUresult cuLibraryUnload(CUlibrary);
CUresult cuLibraryGetKernel(CUkernel*, CUlibrary, const char*);
CUresult cuLibraryGetKernelCount(unsigned int*, CUlibrary);
CUresult cuLibraryEnumerateKernels(CUkernel*, unsigned int, CUlibrary);
CUresult cuLibraryGetModule(CUmodule*, CUlibrary);
CUresult cuKernelGetFunction(CUfunction*, CUkernel);
CUresult cuKernelGetLibrary(CUlibrary*, CUkernel);
CUresult cuLibraryGetGlobal(CUdeviceptr*, size_t*, CUlibrary, const char*);
CUresult cuLibraryGetManaged(CUdeviceptr*, size_t*, CUlibrary, const char*);
CUresult cuLibraryGetUnifiedFunction(void**, CUlibrary, const char*);
CUresult cuKernelGetAttribute(int*, CUfunction_attribute, CUkernel, CUdevice);
CUresult cuKernelSetAttribute(CUfunction_attribute, int, CUkernel, CUdevice);
CUresult cuKernelSetCacheConfig(CUkernel, CUfunc_cache, CUdevice);
CUresult cuKernelGetName(const char**, CUkernel);
CUresult cuKernelGetParamInfo(CUkernel, size_t, size_t*, size_t*);
CUresult cuMemGetInfo(size_t*, size_t*);
CUresult cuMemAlloc(CUdeviceptr*, size_t);
CUresult cuMemAllocPitch(CUdeviceptr*, size_t*, size_t, size_t, unsigned int);
CUresult cuMemFree(CUdeviceptr);
CUresult cuMemGetAddressRange(CUdeviceptr*, size_t*, CUdeviceptr);
CUresult cuMemAllocHost(void**, size_t);
CUresult cuMemFreeHost(void*);
CUresult cuMemHostAlloc(void**, size_t, unsigned int);
CUresult cuMemHostGetDevicePointer(CUdeviceptr*, void*, unsigned int);
CUresult cuMemHostGetFlags(unsigned int*, void*);
CUresult cuMemAllocManaged(CUdeviceptr*, size_t, unsigned int);
CUresult cuDeviceRegisterAsyncNotification(CUdevice, CUasyncCallback, void*, CUasyncCallbackHandle*);
CUresult cuDeviceUnregisterAsyncNotification(CUdevice, CUasyncCallbackHandle);
CUresult cuDeviceGetByPCIBusId(CUdevice*, const char*);
CUresult cuDeviceGetPCIBusId(char*, int, CUdevice);
CUresult cuIpcGetEventHandle(CUipcEventHandle*, CUevent);
CUresult cuIpcOpenEventHandle(CUevent*, CUipcEventHandle);
CUresult cuIpcGetMemHandle(CUipcMemHandle*, CUdeviceptr);
CUresult cuIpcOpenMemHandle(CUdeviceptr*, CUipcMemHandle, unsigned int);
CUresult cuIpcCloseMemHandle(CUdeviceptr);
CUresult cuMemHostRegister(void*, size_t, unsigned int);
CUresult cuMemHostUnregister(void*);
CUresult cuMemcpy(CUdeviceptr, CUdeviceptr, size_t);
CUresult cuMemcpyPeer(CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, size_t);
CUresult cuMemcpyHtoD(CUdeviceptr, const void*, size_t);
CUresult cuMemcpyDtoH(void*, CUdeviceptr, size_t);
CUresult cuMemcpyDtoD(CUdeviceptr, CUdeviceptr, size_t);
CUresult cuMemcpyDtoA(CUarray, size_t, CUdeviceptr, size_t);
CUresult cuMemcpyAtoD(CUdeviceptr, CUarray, size_t, size_t);
CUresult cuMemcpyHtoA(CUarray, size_t, const void*, size_t);
CUresult cuMemcpyAtoH(void*, CUarray, size_t, size_t);
CUresult cuMemcpyAtoA(CUarray, size_t, CUarray, size_t, size_t);
CUresult cuMemcpy2D(const CUDA_MEMCPY2D*);
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D*);
CUresult cuMemcpy3D(const CUDA_MEMCPY3D*);
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER*);
CUresult cuMemcpyAsync(CUdeviceptr, CUdeviceptr, size_t, CUstream);
CUresult cuMemcpyPeerAsync(CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, size_t, CUstream);
CUresult cuMemcpyHtoDAsync(CUdeviceptr, const void*, size_t, CUstream);
CUresult cuMemcpyDtoHAsync(void*, CUdeviceptr, size_t, CUstream);
CUresult cuMemcpyDtoDAsync(CUdeviceptr, CUdeviceptr, size_t, CUstream);
CUresult cuMemcpyHtoAAsync(CUarray, size_t, const void*, size_t, CUstream);
CUresult cuMemcpyAtoHAsync(void*, CUarray, size_t, size_t, CUstream);
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D*, CUstream);
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D*, CUstream);
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER*, CUstream);
CUresult cuMemcpyBatchAsync(CUdeviceptr*, CUdeviceptr*, size_t*, size_t, CUmemcpyAttributes*, size_t*,
    size_t, size_t*, CUstream);
CUresult cuMemcpy3DBatchAsync(size_t, CUDA_MEMCPY3D_BATCH_OP*, size_t*, unsigned long long, CUstream);
CUresult cuMemsetD8(CUdeviceptr, unsigned char, size_t);
CUresult cuMemsetD16(CUdeviceptr, unsigned short, size_t);
CUresult cuMemsetD32(CUdeviceptr, unsigned int, size_t);
CUresult cuMemsetD2D8(CUdeviceptr, size_t, unsigned char, size_t, size_t);
CUresult cuMemsetD2D16(CUdeviceptr, size_t, unsigned short, size_t, size_t);
CUresult cuMemsetD2D32(CUdeviceptr, size_t, unsigned int, size_t, size_t);
CUresult cuMemsetD8Async(CUdeviceptr, unsigned char, size_t, CUstream);
CUresult cuMemsetD16Async(CUdeviceptr, unsigned short, size_t, CUstream);
CUresult cuMemsetD32Async(CUdeviceptr, unsigned int, size_t, CUstream);
CUresult cuMemsetD2D8Async(CUdeviceptr, size_t, unsigned char, size_t, size_t, CUstream);
CUresult cuMemsetD2D16Async(CUdeviceptr, size_t, unsigned short, size_t, size_t, CUstream);
CUresult cuMemsetD2D32Async(CUdeviceptr, size_t, unsigned int, size_t, size_t, CUstream);
CUresult cuArrayCreate(CUarray*, const CUDA_ARRAY_DESCRIPTOR*);
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR*, CUarray);
CUresult cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES*, CUarray);
CUresult cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES*, CUmipmappedArray);
CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS*, CUarray, CUdevice);
CUresult cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS*, CUmipmappedArray, CUdevice);
CUresult cuArrayGetPlane(CUarray*, CUarray, unsigned int);
CUresult cuArrayDestroy(CUarray);
CUresult cuArray3DCreate(CUarray*, const CUDA_ARRAY3D_DESCRIPTOR*);
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR*, CUarray);
CUresult cuMipmappedArrayCreate(CUmipmappedArray*, const CUDA_ARRAY3D_DESCRIPTOR*, unsigned int);
CUresult cuMipmappedArrayGetLevel(CUarray*, CUmipmappedArray, unsigned int);
CUresult cuMipmappedArrayDestroy(CUmipmappedArray);
CUresult cuMemGetHandleForAddressRange(void*, CUdeviceptr, size_t, CUmemRangeHandleType, unsigned long long);
CUresult cuMemBatchDecompressAsync(CUmemDecompressParams*, size_t, unsigned int, size_t*, CUstream);
CUresult cuMemAddressReserve(CUdeviceptr*, size_t, size_t, CUdeviceptr, unsigned long long);
CUresult cuMemAddressFree(CUdeviceptr, size_t);
CUresult cuMemCreate(CUmemGenericAllocationHandle*, size_t, const CUmemAllocationProp*, unsigned long long);
CUresult cuMemRelease(CUmemGenericAllocationHandle);
CUresult cuMemMap(CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle, unsigned long long);
CUresult cuMemMapArrayAsync(CUarrayMapInfo*, unsigned int, CUstream);
CUresult cuMemUnmap(CUdeviceptr, size_t);
CUresult cuMemSetAccess(CUdeviceptr, size_t, const CUmemAccessDesc*, size_t);
CUresult cuMemGetAccess(unsigned long long*, const CUmemLocation*, CUdeviceptr);
CUresult cuMemExportToShareableHandle(void*, CUmemGenericAllocationHandle, CUmemAllocationHandleType,
    unsigned long long);
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle*, void*, CUmemAllocationHandleType);
CUresult cuMemGetAllocationGranularity(size_t*, const CUmemAllocationProp*, CUmemAllocationGranularity_flags);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp*, CUmemGenericAllocationHandle);
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle*, void*);
CUresult cuMemFreeAsync(CUdeviceptr, CUstream);
CUresult cuMemAllocAsync(CUdeviceptr*, size_t, CUstream);
CUresult cuMemPoolTrimTo(CUmemoryPool, size_t);
CUresult cuMemPoolSetAttribute(CUmemoryPool, CUmemPool_attribute, void*);
CUresult cuMemPoolGetAttribute(CUmemoryPool, CUmemPool_attribute, void*);
CUresult cuMemPoolSetAccess(CUmemoryPool, const CUmemAccessDesc*, size_t);
CUresult cuMemPoolGetAccess(CUmemAccess_flags*, CUmemoryPool, CUmemLocation*);
CUresult cuMemPoolCreate(CUmemoryPool*, const CUmemPoolProps*);
CUresult cuMemPoolDestroy(CUmemoryPool);
CUresult cuMemAllocFromPoolAsync(CUdeviceptr*, size_t, CUmemoryPool, CUstream);
CUresult cuMemPoolExportToShareableHandle(void*, CUmemoryPool, CUmemAllocationHandleType, unsigned long long);
CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool*, void*, CUmemAllocationHandleType, unsigned long
    long);
CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData*, CUdeviceptr);
CUresult cuMemPoolImportPointer(CUdeviceptr*, CUmemoryPool, CUmemPoolPtrExportData*);
CUresult cuMulticastCreate(CUmemGenericAllocationHandle*, const CUmulticastObjectProp*);
CUresult cuMulticastAddDevice(CUmemGenericAllocationHandle, CUdevice);
CUresult cuMulticastBindMem(CUmemGenericAllocationHandle, size_t, CUmemGenericAllocationHandle, size_t,
    size_t, unsigned long long);
CUresult cuMulticastBindAddr(CUmemGenericAllocationHandle, size_t, CUdeviceptr, size_t, unsigned long long);
CUresult cuMulticastUnbind(CUmemGenericAllocationHandle, CUdevice, size_t, size_t);
CUresult cuMulticastGetGranularity(size_t*, const CUmulticastObjectProp*, CUmulticastGranularity_flags);
CUresult cuPointerGetAttribute(void*, CUpointer_attribute, CUdeviceptr);
CUresult cuMemPrefetchAsync(CUdeviceptr, size_t, CUdevice, CUstream);
CUresult cuMemPrefetchAsync_v2(CUdeviceptr, size_t, CUmemLocation, unsigned int, CUstream);
CUresult cuMemAdvise(CUdeviceptr, size_t, CUmem_advise, CUdevice);
CUresult cuMemAdvise_v2(CUdeviceptr, size_t, CUmem_advise, CUmemLocation);
CUresult cuMemRangeGetAttribute(void*, size_t, CUmem_range_attribute, CUdeviceptr, size_t);
CUresult cuMemRangeGetAttributes(void**, size_t*, CUmem_range_attribute*, size_t, CUdeviceptr, size_t);
CUresult cuPointerSetAttribute(const void*, CUpointer_attribute, CUdeviceptr);
CUresult cuPointerGetAttributes(unsigned int, CUpointer_attribute*, void**, CUdeviceptr);
CUresult cuStreamCreate(CUstream*, unsigned int);
CUresult cuStreamCreateWithPriority(CUstream*, unsigned int, int);
CUresult cuStreamGetPriority(CUstream, int*);
CUresult cuStreamGetDevice(CUstream, CUdevice*);
CUresult cuStreamGetFlags(CUstream, unsigned int*);
CUresult cuStreamGetId(CUstream, unsigned long long*);
CUresult cuStreamGetCtx(CUstream, CUcontext*);
CUresult cuStreamGetCtx_v2(CUstream, CUcontext*, CUgreenCtx*);
CUresult cuStreamWaitEvent(CUstream, CUevent, unsigned int);
CUresult cuStreamAddCallback(CUstream, CUstreamCallback, void*, unsigned int);
CUresult cuStreamBeginCapture(CUstream, CUstreamCaptureMode);
CUresult cuStreamBeginCaptureToGraph(CUstream, CUgraph, const CUgraphNode*, const CUgraphEdgeData*,
    size_t, CUstreamCaptureMode);
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode*);
CUresult cuStreamEndCapture(CUstream, CUgraph*);
CUresult cuStreamIsCapturing(CUstream, CUstreamCaptureStatus*);
CUresult cuStreamGetCaptureInfo(CUstream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*, const
    CUgraphNode**, size_t*);
CUresult cuStreamGetCaptureInfo_v3(CUstream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*, const
    CUgraphNode**, const CUgraphEdgeData**, size_t*);
CUresult cuStreamUpdateCaptureDependencies(CUstream, CUgraphNode*, size_t, unsigned int);
CUresult cuStreamUpdateCaptureDependencies_v2(CUstream, CUgraphNode*, const CUgraphEdgeData*, size_t,
    unsigned int);
CUresult cuStreamAttachMemAsync(CUstream, CUdeviceptr, size_t, unsigned int);
CUresult cuStreamQuery(CUstream);
CUresult cuStreamSynchronize(CUstream);
CUresult cuStreamDestroy(CUstream);
CUresult cuStreamCopyAttributes(CUstream, CUstream);
CUresult cuStreamGetAttribute(CUstream, CUstreamAttrID, CUstreamAttrValue*);
CUresult cuStreamSetAttribute(CUstream, CUstreamAttrID, const CUstreamAttrValue*);
CUresult cuEventCreate(CUevent*, unsigned int);
CUresult cuEventRecord(CUevent, CUstream);
CUresult cuEventRecordWithFlags(CUevent, CUstream, unsigned int);
CUresult cuEventQuery(CUevent);
CUresult cuEventSynchronize(CUevent);
CUresult cuEventDestroy(CUevent);
CUresult cuEventElapsedTime(float*, CUevent, CUevent);
CUresult cuEventElapsedTime_v2(float*, CUevent, CUevent);
CUresult cuImportExternalMemory(CUexternalMemory*, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC*);
CUresult cuExternalMemoryGetMappedBuffer(CUdeviceptr*, CUexternalMemory, const
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC*);
CUresult cuExternalMemoryGetMappedMipmappedArray(CUmipmappedArray*, CUexternalMemory, const
    CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC*);
CUresult cuDestroyExternalMemory(CUexternalMemory);
CUresult cuImportExternalSemaphore(CUexternalSemaphore*, const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC*);
CUresult cuSignalExternalSemaphoresAsync(const CUexternalSemaphore*, const
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS*, unsigned int, CUstream);
CUresult cuWaitExternalSemaphoresAsync(const CUexternalSemaphore*, const
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS*, unsigned int, CUstream);
CUresult cuDestroyExternalSemaphore(CUexternalSemaphore);
CUresult cuStreamWaitValue32(CUstream, CUdeviceptr, cuuint32_t, unsigned int);
CUresult cuStreamWaitValue64(CUstream, CUdeviceptr, cuuint64_t, unsigned int);
CUresult cuStreamWriteValue32(CUstream, CUdeviceptr, cuuint32_t, unsigned int);
CUresult cuStreamWriteValue64(CUstream, CUdeviceptr, cuuint64_t, unsigned int);
CUresult cuStreamBatchMemOp(CUstream, unsigned int, CUstreamBatchMemOpParams*, unsigned int);
CUresult cuFuncGetAttribute(int*, CUfunction_attribute, CUfunction);
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int);
CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache);
CUresult cuFuncGetModule(CUmodule*, CUfunction);
CUresult cuFuncGetName(const char**, CUfunction);
CUresult cuFuncGetParamInfo(CUfunction, size_t, size_t*, size_t*);
CUresult cuFuncIsLoaded(CUfunctionLoadingState*, CUfunction);
CUresult cuFuncLoad(CUfunction);
CUresult cuLaunchKernel(CUfunction, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int,
    unsigned int, unsigned int, CUstream, void**, void**);
CUresult cuLaunchKernelEx(const CUlaunchConfig*, CUfunction, void**, void**);
CUresult cuLaunchCooperativeKernel(CUfunction, unsigned int, unsigned int, unsigned int, unsigned int,
    unsigned int, unsigned int, unsigned int, CUstream, void**);
CUresult cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS*, unsigned int, unsigned int);
CUresult cuLaunchHostFunc(CUstream, CUhostFn, void*);
CUresult cuFuncSetBlockShape(CUfunction, int, int, int);
CUresult cuFuncSetSharedSize(CUfunction, unsigned int);
CUresult cuParamSetSize(CUfunction, unsigned int);
CUresult cuParamSeti(CUfunction, int, unsigned int);
CUresult cuParamSetf(CUfunction, int, float);
CUresult cuParamSetv(CUfunction, int, void*, unsigned int);
CUresult cuLaunch(CUfunction);
CUresult cuLaunchGrid(CUfunction, int, int);
CUresult cuLaunchGridAsync(CUfunction, int, int, CUstream);
CUresult cuParamSetTexRef(CUfunction, int, CUtexref);
CUresult cuFuncSetSharedMemConfig(CUfunction, CUsharedconfig);
CUresult cuGraphCreate(CUgraph*, unsigned int);
CUresult cuGraphAddKernelNode(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, const
    CUDA_KERNEL_NODE_PARAMS*);
CUresult cuGraphKernelNodeGetParams(CUgraphNode, CUDA_KERNEL_NODE_PARAMS*);
CUresult cuGraphKernelNodeSetParams(CUgraphNode, const CUDA_KERNEL_NODE_PARAMS*);
CUresult cuGraphAddMemcpyNode(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, const CUDA_MEMCPY3D*,
    CUcontext);
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode, CUDA_MEMCPY3D*);
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode, const CUDA_MEMCPY3D*);
CUresult cuGraphAddMemsetNode(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, const
    CUDA_MEMSET_NODE_PARAMS*, CUcontext);
CUresult cuGraphMemsetNodeGetParams(CUgraphNode, CUDA_MEMSET_NODE_PARAMS*);
CUresult cuGraphMemsetNodeSetParams(CUgraphNode, const CUDA_MEMSET_NODE_PARAMS*);
CUresult cuGraphAddHostNode(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, const CUDA_HOST_NODE_PARAMS*);
CUresult cuGraphHostNodeGetParams(CUgraphNode, CUDA_HOST_NODE_PARAMS*);
CUresult cuGraphHostNodeSetParams(CUgraphNode, const CUDA_HOST_NODE_PARAMS*);
CUresult cuGraphAddChildGraphNode(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, CUgraph);
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode, CUgraph*);
CUresult cuGraphAddEmptyNode(CUgraphNode*, CUgraph, const CUgraphNode*, size_t);
CUresult cuGraphAddEventRecordNode(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, CUevent);
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode, CUevent*);
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode, CUevent);
CUresult cuGraphAddEventWaitNode(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, CUevent);
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode, CUevent*);
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode, CUevent);
CUresult cuGraphAddExternalSemaphoresSignalNode(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, const
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS*);
CUresult cuGraphExternalSemaphoresSignalNodeGetParams(CUgraphNode, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS*);
CUresult cuGraphExternalSemaphoresSignalNodeSetParams(CUgraphNode, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS*);
CUresult cuGraphAddExternalSemaphoresWaitNode(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, const
    CUDA_EXT_SEM_WAIT_NODE_PARAMS*);
CUresult cuGraphExternalSemaphoresWaitNodeGetParams(CUgraphNode, CUDA_EXT_SEM_WAIT_NODE_PARAMS*);
CUresult cuGraphExternalSemaphoresWaitNodeSetParams(CUgraphNode, const CUDA_EXT_SEM_WAIT_NODE_PARAMS*);
CUresult cuGraphAddBatchMemOpNode(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, const
    CUDA_BATCH_MEM_OP_NODE_PARAMS*);
CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode, CUDA_BATCH_MEM_OP_NODE_PARAMS*);
CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS*);
CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec, CUgraphNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS*);
CUresult cuGraphAddMemAllocNode(CUgraphNode*, CUgraph, const CUgraphNode*, size_t,
    CUDA_MEM_ALLOC_NODE_PARAMS*);
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode, CUDA_MEM_ALLOC_NODE_PARAMS*);
CUresult cuGraphAddMemFreeNode(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, CUdeviceptr);
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode, CUdeviceptr*);
CUresult cuDeviceGraphMemTrim(CUdevice);
CUresult cuDeviceGetGraphMemAttribute(CUdevice, CUgraphMem_attribute, void*);
CUresult cuDeviceSetGraphMemAttribute(CUdevice, CUgraphMem_attribute, void*);
CUresult cuGraphClone(CUgraph*, CUgraph);
CUresult cuGraphNodeFindInClone(CUgraphNode*, CUgraphNode, CUgraph);
CUresult cuGraphNodeGetType(CUgraphNode, CUgraphNodeType*);
CUresult cuGraphGetNodes(CUgraph, CUgraphNode*, size_t*);
CUresult cuGraphGetRootNodes(CUgraph, CUgraphNode*, size_t*);
CUresult cuGraphGetEdges(CUgraph, CUgraphNode*, CUgraphNode*, size_t*);
CUresult cuGraphGetEdges_v2(CUgraph, CUgraphNode*, CUgraphNode*, CUgraphEdgeData*, size_t*);
CUresult cuGraphNodeGetDependencies(CUgraphNode, CUgraphNode*, size_t*);
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode, CUgraphNode*, CUgraphEdgeData*, size_t*);
CUresult cuGraphNodeGetDependentNodes(CUgraphNode, CUgraphNode*, size_t*);
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode, CUgraphNode*, CUgraphEdgeData*, size_t*);
CUresult cuGraphAddDependencies(CUgraph, const CUgraphNode*, const CUgraphNode*, size_t);
CUresult cuGraphAddDependencies_v2(CUgraph, const CUgraphNode*, const CUgraphNode*, const
    CUgraphEdgeData*, size_t);
CUresult cuGraphRemoveDependencies(CUgraph, const CUgraphNode*, const CUgraphNode*, size_t);
CUresult cuGraphRemoveDependencies_v2(CUgraph, const CUgraphNode*, const CUgraphNode*, const
    CUgraphEdgeData*, size_t);
CUresult cuGraphDestroyNode(CUgraphNode);
CUresult cuGraphInstantiateWithFlags(CUgraphExec*, CUgraph, unsigned long long);
CUresult cuGraphInstantiateWithParams(CUgraphExec*, CUgraph, CUDA_GRAPH_INSTANTIATE_PARAMS*);
CUresult cuGraphExecGetFlags(CUgraphExec, cuuint64_t*);
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec, CUgraphNode, const CUDA_KERNEL_NODE_PARAMS*);
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec, CUgraphNode, const CUDA_MEMCPY3D*, CUcontext);
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec, CUgraphNode, const CUDA_MEMSET_NODE_PARAMS*, CUcontext);
CUresult cuGraphExecHostNodeSetParams(CUgraphExec, CUgraphNode, const CUDA_HOST_NODE_PARAMS*);
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec, CUgraphNode, CUgraph);
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec, CUgraphNode, CUevent);
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec, CUgraphNode, CUevent);
CUresult cuGraphExecExternalSemaphoresSignalNodeSetParams(CUgraphExec, CUgraphNode, const
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS*);
CUresult cuGraphExecExternalSemaphoresWaitNodeSetParams(CUgraphExec, CUgraphNode, const
    CUDA_EXT_SEM_WAIT_NODE_PARAMS*);
CUresult cuGraphNodeSetEnabled(CUgraphExec, CUgraphNode, unsigned int);
CUresult cuGraphNodeGetEnabled(CUgraphExec, CUgraphNode, unsigned int*);
CUresult cuGraphUpload(CUgraphExec, CUstream);
CUresult cuGraphLaunch(CUgraphExec, CUstream);
CUresult cuGraphExecDestroy(CUgraphExec);
CUresult cuGraphDestroy(CUgraph);
CUresult cuGraphExecUpdate(CUgraphExec, CUgraph, CUgraphExecUpdateResultInfo*);
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode, CUgraphNode);
CUresult cuGraphKernelNodeGetAttribute(CUgraphNode, CUkernelNodeAttrID, CUkernelNodeAttrValue*);
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode, CUkernelNodeAttrID, const CUkernelNodeAttrValue*);
CUresult cuGraphDebugDotPrint(CUgraph, const char*, unsigned int);
CUresult cuUserObjectCreate(CUuserObject*, void*, CUhostFn, unsigned int, unsigned int);
CUresult cuUserObjectRetain(CUuserObject, unsigned int);
CUresult cuUserObjectRelease(CUuserObject, unsigned int);
CUresult cuGraphRetainUserObject(CUgraph, CUuserObject, unsigned int, unsigned int);
CUresult cuGraphReleaseUserObject(CUgraph, CUuserObject, unsigned int);
CUresult cuGraphAddNode(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, CUgraphNodeParams*);
CUresult cuGraphAddNode_v2(CUgraphNode*, CUgraph, const CUgraphNode*, const CUgraphEdgeData*, size_t,
    CUgraphNodeParams*);
CUresult cuGraphNodeSetParams(CUgraphNode, CUgraphNodeParams*);
CUresult cuGraphExecNodeSetParams(CUgraphExec, CUgraphNode, CUgraphNodeParams*);
CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle*, CUgraph, CUcontext, unsigned int,
    unsigned int);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int*, CUfunction, int, size_t);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int*, CUfunction, int, size_t, unsigned int);
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t*, CUfunction, int, int);
CUresult cuOccupancyMaxPotentialClusterSize(int*, CUfunction, const CUlaunchConfig*);
CUresult cuOccupancyMaxActiveClusters(int*, CUfunction, const CUlaunchConfig*);
CUresult cuTexRefSetArray(CUtexref, CUarray, unsigned int);
CUresult cuTexRefSetMipmappedArray(CUtexref, CUmipmappedArray, unsigned int);
CUresult cuTexRefSetAddress(size_t*, CUtexref, CUdeviceptr, size_t);
CUresult cuTexRefSetAddress2D(CUtexref, const CUDA_ARRAY_DESCRIPTOR*, CUdeviceptr, size_t);
CUresult cuTexRefSetFormat(CUtexref, CUarray_format, int);
CUresult cuTexRefSetAddressMode(CUtexref, int, CUaddress_mode);
CUresult cuTexRefSetFilterMode(CUtexref, CUfilter_mode);
CUresult cuTexRefSetMipmapFilterMode(CUtexref, CUfilter_mode);
CUresult cuTexRefSetMipmapLevelBias(CUtexref, float);
CUresult cuTexRefSetMipmapLevelClamp(CUtexref, float, float);
CUresult cuTexRefSetMaxAnisotropy(CUtexref, unsigned int);
CUresult cuTexRefSetBorderColor(CUtexref, float*);
CUresult cuTexRefSetFlags(CUtexref, unsigned int);
CUresult cuTexRefGetAddress(CUdeviceptr*, CUtexref);
CUresult cuTexRefGetArray(CUarray*, CUtexref);
CUresult cuTexRefGetMipmappedArray(CUmipmappedArray*, CUtexref);
CUresult cuTexRefGetAddressMode(CUaddress_mode*, CUtexref, int);
CUresult cuTexRefGetFilterMode(CUfilter_mode*, CUtexref);
CUresult cuTexRefGetFormat(CUarray_format*, int*, CUtexref);
CUresult cuTexRefGetMipmapFilterMode(CUfilter_mode*, CUtexref);
CUresult cuTexRefGetMipmapLevelBias(float*, CUtexref);
CUresult cuTexRefGetMipmapLevelClamp(float*, float*, CUtexref);
CUresult cuTexRefGetMaxAnisotropy(int*, CUtexref);
CUresult cuTexRefGetBorderColor(float*, CUtexref);
CUresult cuTexRefGetFlags(unsigned int*, CUtexref);
CUresult cuTexRefCreate(CUtexref*);
CUresult cuTexRefDestroy(CUtexref);
CUresult cuSurfRefSetArray(CUsurfref, CUarray, unsigned int);
CUresult cuSurfRefGetArray(CUarray*, CUsurfref);
CUresult cuTexObjectCreate(CUtexObject*, const CUDA_RESOURCE_DESC*, const CUDA_TEXTURE_DESC*, const
    CUDA_RESOURCE_VIEW_DESC*);
CUresult cuTexObjectDestroy(CUtexObject);
CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC*, CUtexObject);
CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC*, CUtexObject);
CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC*, CUtexObject);
CUresult cuSurfObjectCreate(CUsurfObject*, const CUDA_RESOURCE_DESC*);
CUresult cuSurfObjectDestroy(CUsurfObject);
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC*, CUsurfObject);
CUresult cuTensorMapEncodeTiled(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
    const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
    CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
CUresult cuTensorMapEncodeIm2col(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
    const cuuint64_t*, const int*, const int*, cuuint32_t, cuuint32_t, const cuuint32_t*,
    CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
CUresult cuTensorMapEncodeIm2colWide(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const
    cuuint64_t*, const cuuint64_t*, int, int, cuuint32_t, cuuint32_t, const cuuint32_t*,
    CUtensorMapInterleave, CUtensorMapIm2ColWideMode, CUtensorMapSwizzle, CUtensorMapL2promotion,
    CUtensorMapFloatOOBfill);
CUresult cuTensorMapReplaceAddress(CUtensorMap*, void*);
CUresult cuDeviceCanAccessPeer(int*, CUdevice, CUdevice);
CUresult cuCtxEnablePeerAccess(CUcontext, unsigned int);
CUresult cuCtxDisablePeerAccess(CUcontext);
CUresult cuDeviceGetP2PAttribute(int*, CUdevice_P2PAttribute, CUdevice, CUdevice);
CUresult cuGraphicsUnregisterResource(CUgraphicsResource);
CUresult cuGraphicsSubResourceGetMappedArray(CUarray*, CUgraphicsResource, unsigned int, unsigned int);
CUresult cuGraphicsResourceGetMappedMipmappedArray(CUmipmappedArray*, CUgraphicsResource);
CUresult cuGraphicsResourceGetMappedPointer(CUdeviceptr*, size_t*, CUgraphicsResource);
CUresult cuGraphicsResourceSetMapFlags(CUgraphicsResource, unsigned int);
CUresult cuGraphicsMapResources(unsigned int, CUgraphicsResource*, CUstream);
CUresult cuGraphicsUnmapResources(unsigned int, CUgraphicsResource*, CUstream);
CUresult cuGetProcAddress(const char*, void**, int, cuuint64_t, CUdriverProcAddressQueryResult*);
CUresult cuCoredumpGetAttribute(CUcoredumpSettings, void*, size_t*);
CUresult cuCoredumpGetAttributeGlobal(CUcoredumpSettings, void*, size_t*);
CUresult cuCoredumpSetAttribute(CUcoredumpSettings, void*, size_t*);
CUresult cuCoredumpSetAttributeGlobal(CUcoredumpSettings, void*, size_t*);
CUresult cuGetExportTable(const void**, const CUuuid*);
CUresult cuGreenCtxCreate(CUgreenCtx*, CUdevResourceDesc, CUdevice, unsigned int);
CUresult cuGreenCtxDestroy(CUgreenCtx);
CUresult cuCtxFromGreenCtx(CUcontext*, CUgreenCtx);
CUresult cuDeviceGetDevResource(CUdevice, CUdevResource*, CUdevResourceType);
CUresult cuCtxGetDevResource(CUcontext, CUdevResource*, CUdevResourceType);
CUresult cuGreenCtxGetDevResource(CUgreenCtx, CUdevResource*, CUdevResourceType);
CUresult cuDevSmResourceSplitByCount(CUdevResource*, unsigned int*, const CUdevResource*, CUdevResource*,
    unsigned int, unsigned int);
CUresult cuDevResourceGenerateDesc(CUdevResourceDesc*, CUdevResource*, unsigned int);
CUresult cuGreenCtxRecordEvent(CUgreenCtx, CUevent);
CUresult cuGreenCtxWaitEvent(CUgreenCtx, CUevent);
CUresult cuStreamGetGreenCtx(CUstream, CUgreenCtx*);
CUresult cuGreenCtxStreamCreate(CUstream*, CUgreenCtx, unsigned int, int);
CUresult cuLogsRegisterCallback(CUlogsCallback, void*, CUlogsCallbackHandle*);
CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle);
CUresult cuLogsCurrent(CUlogIterator*, unsigned int);
CUresult cuLogsDumpToFile(CUlogIterator*, const char*, unsigned int);
CUresult cuLogsDumpToMemory(CUlogIterator*, char*, size_t*, unsigned int);
CUresult cuCheckpointProcessGetRestoreThreadId(int, int*);
CUresult cuCheckpointProcessGetState(int, CUprocessState*);
CUresult cuCheckpointProcessLock(int, CUcheckpointLockArgs*);
CUresult cuCheckpointProcessCheckpoint(int, CUcheckpointCheckpointArgs*);
CUresult cuCheckpointProcessRestore(int, CUcheckpointRestoreArgs*);
CUresult cuCheckpointProcessUnlock(int, CUcheckpointUnlockArgs*);

/* Names with their version, for what goes by the name alone. */
#define cuArray3DCreate_v2 cuArray3DCreate
#define cuArray3DGetDescriptor_v2 cuArray3DGetDescriptor
#define cuArrayCreate_v2 cuArrayCreate
#define cuArrayGetDescriptor_v2 cuArrayGetDescriptor
#define cuCtxCreate_v2 cuCtxCreate
#define cuCtxDestroy_v2 cuCtxDestroy
#define cuCtxPopCurrent_v2 cuCtxPopCurrent
#define cuCtxPushCurrent_v2 cuCtxPushCurrent
#define cuDevicePrimaryCtxRelease_v2 cuDevicePrimaryCtxRelease
#define cuDevicePrimaryCtxReset_v2 cuDevicePrimaryCtxReset
#define cuDevicePrimaryCtxSetFlags_v2 cuDevicePrimaryCtxSetFlags
#define cuDeviceTotalMem_v2 cuDeviceTotalMem
#define cuEventDestroy_v2 cuEventDestroy
#define cuGetProcAddress_v2 cuGetProcAddress
#define cuGraphAddKernelNode_v2 cuGraphAddKernelNode
#define cuGraphExecKernelNodeSetParams_v2 cuGraphExecKernelNodeSetParams
#define cuGraphExecUpdate_v2 cuGraphExecUpdate
#define cuGraphKernelNodeGetParams_v2 cuGraphKernelNodeGetParams
#define cuGraphKernelNodeSetParams_v2 cuGraphKernelNodeSetParams
#define cuGraphicsResourceGetMappedPointer_v2 cuGraphicsResourceGetMappedPointer
#define cuGraphicsResourceSetMapFlags_v2 cuGraphicsResourceSetMapFlags
#define cuIpcOpenMemHandle_v2 cuIpcOpenMemHandle
#define cuLinkAddData_v2 cuLinkAddData
#define cuLinkAddFile_v2 cuLinkAddFile
#define cuLinkCreate_v2 cuLinkCreate
#define cuMemAlloc_v2 cuMemAlloc
#define cuMemAllocHost_v2 cuMemAllocHost
#define cuMemAllocPitch_v2 cuMemAllocPitch
#define cuMemFree_v2 cuMemFree
#define cuMemGetAddressRange_v2 cuMemGetAddressRange
#define cuMemGetInfo_v2 cuMemGetInfo
#define cuMemHostGetDevicePointer_v2 cuMemHostGetDevicePointer
#define cuMemHostRegister_v2 cuMemHostRegister
#define cuMemcpy2D_v2 cuMemcpy2D
#define cuMemcpy2DAsync_v2 cuMemcpy2DAsync
#define cuMemcpy2DUnaligned_v2 cuMemcpy2DUnaligned
#define cuMemcpy3D_v2 cuMemcpy3D
#define cuMemcpy3DAsync_v2 cuMemcpy3DAsync
#define cuMemcpyAtoA_v2 cuMemcpyAtoA
#define cuMemcpyAtoD_v2 cuMemcpyAtoD
#define cuMemcpyAtoH_v2 cuMemcpyAtoH
#define cuMemcpyAtoHAsync_v2 cuMemcpyAtoHAsync
#define cuMemcpyDtoA_v2 cuMemcpyDtoA
#define cuMemcpyDtoD_v2 cuMemcpyDtoD
#define cuMemcpyDtoDAsync_v2 cuMemcpyDtoDAsync
#define cuMemcpyDtoH_v2 cuMemcpyDtoH
#define cuMemcpyDtoHAsync_v2 cuMemcpyDtoHAsync
#define cuMemcpyHtoA_v2 cuMemcpyHtoA
#define cuMemcpyHtoAAsync_v2 cuMemcpyHtoAAsync
#define cuMemcpyHtoD_v2 cuMemcpyHtoD
#define cuMemcpyHtoDAsync_v2 cuMemcpyHtoDAsync
#define cuMemsetD16_v2 cuMemsetD16
#define cuMemsetD2D16_v2 cuMemsetD2D16
#define cuMemsetD2D32_v2 cuMemsetD2D32
#define cuMemsetD2D8_v2 cuMemsetD2D8
#define cuMemsetD32_v2 cuMemsetD32
#define cuMemsetD8_v2 cuMemsetD8
#define cuModuleGetGlobal_v2 cuModuleGetGlobal
#define cuStreamBatchMemOp_v2 cuStreamBatchMemOp
#define cuStreamBeginCapture_v2 cuStreamBeginCapture
#define cuStreamDestroy_v2 cuStreamDestroy
#define cuStreamGetCaptureInfo_v2 cuStreamGetCaptureInfo
#define cuStreamWaitValue32_v2 cuStreamWaitValue32
#define cuStreamWaitValue64_v2 cuStreamWaitValue64
#define cuStreamWriteValue32_v2 cuStreamWriteValue32
#define cuStreamWriteValue64_v2 cuStreamWriteValue64
#define cuTexRefGetAddress_v2 cuTexRefGetAddress
#define cuTexRefSetAddress_v2 cuTexRefSetAddress
#define cuTexRefSetAddress2D_v3 cuTexRefSetAddress2D
#define cuGraphInstantiate cuGraphInstantiateWithFlags

#endif
