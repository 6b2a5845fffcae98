// Each function of the driver before cuInit, and each that needs a context where none is current.
#include <cstdio>
#include <cuda.h>

static int calls, others;
static CUresult expected;

template <class... A> static void call(const char *name, CUresult (*function)(A...)) {
    CUresult result = function(A{}...);
    calls++;
    if (result == expected)
        return;
    others++;
    const char *text = "?";
    cuGetErrorName(result, &text);
    printf("%s: %s\n", name, text);
}
#define CALL(function) call(#function, function)

static void in_context() {
    CALL(cuOccupancyMaxPotentialClusterSize); CALL(cuOccupancyMaxActiveClusters);
    CALL(cuFlushGPUDirectRDMAWrites); CALL(cuCtxSynchronize); CALL(cuCtxSetLimit); CALL(cuCtxGetLimit);
    CALL(cuCtxGetCacheConfig); CALL(cuCtxSetCacheConfig); CALL(cuCtxGetSharedMemConfig);
    CALL(cuCtxSetSharedMemConfig); CALL(cuCtxGetStreamPriorityRange); CALL(cuCtxResetPersistingL2Cache);
    CALL(cuMemGetInfo); CALL(cuMemFree); CALL(cuMemAllocHost); CALL(cuMemFreeHost); CALL(cuMemHostAlloc);
    CALL(cuMemHostGetDevicePointer); CALL(cuMemHostGetFlags); CALL(cuMemAllocManaged); CALL(cuIpcOpenEventHandle);
    CALL(cuIpcGetMemHandle); CALL(cuIpcOpenMemHandle); CALL(cuIpcCloseMemHandle); CALL(cuMemHostRegister);
    CALL(cuMemHostUnregister); CALL(cuArrayGetPlane); CALL(cuArrayDestroy); CALL(cuMipmappedArrayGetLevel);
    CALL(cuMipmappedArrayDestroy); CALL(cuMemFreeAsync); CALL(cuMemAllocAsync); CALL(cuMemAllocFromPoolAsync);
    CALL(cuMemRangeGetAttributes); CALL(cuStreamCreate); CALL(cuEventCreate); CALL(cuFuncSetAttribute);
    CALL(cuFuncSetCacheConfig); CALL(cuFuncSetSharedMemConfig); CALL(cuLaunchHostFunc);
    CALL(cuLaunchCooperativeKernelMultiDevice); CALL(cuGraphInstantiateWithFlags);
    CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor); CALL(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags);
    CALL(cuOccupancyAvailableDynamicSMemPerBlock); CALL(cuMemPoolGetAccess); CALL(cuStreamCreateWithPriority);
    CALL(cuStreamGetPriority); CALL(cuStreamGetDevice); CALL(cuStreamGetFlags); CALL(cuStreamWaitEvent);
    CALL(cuStreamAddCallback); CALL(cuStreamAttachMemAsync); CALL(cuStreamQuery); CALL(cuStreamSynchronize);
    CALL(cuStreamDestroy); CALL(cuEventRecord); CALL(cuEventRecordWithFlags); CALL(cuEventSynchronize);
    CALL(cuEventDestroy); CALL(cuEventElapsedTime); CALL(cuEventElapsedTime_v2); CALL(cuGraphAddMemsetNode);
    CALL(cuCtxPopCurrent); CALL(cuCtxGetFlags); CALL(cuCtxSetFlags); CALL(cuCtxGetExecAffinity); CALL(cuCtxAttach);
    CALL(cuCtxDetach); CALL(cuStreamGetCtx); CALL(cuStreamGetCtx_v2); CALL(cuCtxEnablePeerAccess);
    CALL(cuCtxDisablePeerAccess); CALL(cuCtxGetDevice); CALL(cuModuleLoad); CALL(cuModuleLoadData);
    CALL(cuModuleLoadDataEx); CALL(cuModuleLoadFatBinary); CALL(cuModuleUnload); CALL(cuModuleGetFunction);
    CALL(cuModuleGetGlobal); CALL(cuLibraryGetGlobal); CALL(cuLaunchKernel); CALL(cuLaunchCooperativeKernel);
    CALL(cuModuleEnumerateFunctions); CALL(cuLibraryGetModule); CALL(cuKernelGetFunction); CALL(cuFuncGetAttribute);
    CALL(cuFuncGetModule); CALL(cuLaunchKernelEx); CALL(cuMemAlloc); CALL(cuMemAllocPitch);
    CALL(cuMemGetAddressRange); CALL(cuMemcpy); CALL(cuMemcpyAsync); CALL(cuMemcpyHtoD); CALL(cuMemcpyHtoDAsync);
    CALL(cuMemcpyDtoH); CALL(cuMemcpyDtoHAsync); CALL(cuMemcpyDtoD); CALL(cuMemcpyDtoDAsync); CALL(cuMemcpyPeer);
    CALL(cuMemcpyPeerAsync); CALL(cuMemsetD8); CALL(cuMemsetD8Async); CALL(cuMemsetD2D8); CALL(cuMemsetD2D8Async);
    CALL(cuMemsetD16); CALL(cuMemsetD16Async); CALL(cuMemsetD2D16); CALL(cuMemsetD2D16Async); CALL(cuMemsetD32);
    CALL(cuMemsetD32Async); CALL(cuMemsetD2D32); CALL(cuMemsetD2D32Async); CALL(cuMemcpy2D);
    CALL(cuMemcpy2DUnaligned); CALL(cuMemcpy3D); CALL(cuMemcpy3DPeer); CALL(cuMemcpy2DAsync); CALL(cuMemcpy3DAsync);
    CALL(cuMemcpy3DPeerAsync); CALL(cuMemcpyAtoA); CALL(cuArrayGetDescriptor); CALL(cuArray3DGetDescriptor);
    CALL(cuTexObjectCreate); CALL(cuTexObjectDestroy); CALL(cuSurfObjectCreate); CALL(cuSurfObjectDestroy);
    CALL(cuTexObjectGetResourceDesc); CALL(cuSurfObjectGetResourceDesc); CALL(cuTexObjectGetTextureDesc);
    CALL(cuTexObjectGetResourceViewDesc); CALL(cuArrayCreate); CALL(cuArray3DCreate); CALL(cuMipmappedArrayCreate);
    CALL(cuMemcpyDtoA); CALL(cuMemcpyHtoA); CALL(cuMemcpyHtoAAsync); CALL(cuMemcpyAtoD); CALL(cuMemcpyAtoH);
    CALL(cuMemcpyAtoHAsync); CALL(cuPointerGetAttribute); CALL(cuPointerGetAttributes); CALL(cuPointerSetAttribute);
    CALL(cuGraphAddNode); CALL(cuGraphAddNode_v2); CALL(cuGraphicsUnregisterResource);
    CALL(cuGraphicsResourceSetMapFlags); CALL(cuGraphicsMapResources); CALL(cuGraphicsUnmapResources);
    CALL(cuGraphicsResourceGetMappedPointer); CALL(cuGraphicsSubResourceGetMappedArray);
    CALL(cuGraphicsResourceGetMappedMipmappedArray);
}
static void without() {
    CALL(cuDeviceGetCount); CALL(cuDeviceSetMemPool); CALL(cuDeviceGetMemPool); CALL(cuDeviceGetDefaultMemPool);
    CALL(cuDeviceGetAttribute); CALL(cuDeviceGetByPCIBusId); CALL(cuDeviceGetPCIBusId); CALL(cuDeviceCanAccessPeer);
    CALL(cuDeviceGetP2PAttribute); CALL(cuIpcGetEventHandle); CALL(cuMemcpyBatchAsync); CALL(cuMemcpy3DBatchAsync);
    CALL(cuArrayGetSparseProperties); CALL(cuMipmappedArrayGetSparseProperties); CALL(cuArrayGetMemoryRequirements);
    CALL(cuMipmappedArrayGetMemoryRequirements); CALL(cuMemPrefetchAsync); CALL(cuMemPrefetchAsync_v2);
    CALL(cuMemAdvise); CALL(cuMemAdvise_v2); CALL(cuMemRangeGetAttribute); CALL(cuFuncGetName);
    CALL(cuFuncGetParamInfo); CALL(cuKernelGetName); CALL(cuKernelGetParamInfo);
    CALL(cuThreadExchangeStreamCaptureMode); CALL(cuDeviceGraphMemTrim); CALL(cuDeviceGetGraphMemAttribute);
    CALL(cuDeviceSetGraphMemAttribute); CALL(cuMemPoolTrimTo); CALL(cuMemPoolSetAttribute);
    CALL(cuMemPoolGetAttribute); CALL(cuMemPoolSetAccess); CALL(cuMemPoolCreate); CALL(cuMemPoolDestroy);
    CALL(cuMemPoolExportToShareableHandle); CALL(cuMemPoolImportFromShareableHandle); CALL(cuMemPoolExportPointer);
    CALL(cuMemPoolImportPointer); CALL(cuStreamGetId); CALL(cuStreamBeginCapture); CALL(cuStreamBeginCaptureToGraph);
    CALL(cuStreamEndCapture); CALL(cuStreamIsCapturing); CALL(cuStreamGetCaptureInfo);
    CALL(cuStreamGetCaptureInfo_v3); CALL(cuStreamUpdateCaptureDependencies);
    CALL(cuStreamUpdateCaptureDependencies_v2); CALL(cuStreamCopyAttributes); CALL(cuStreamGetAttribute);
    CALL(cuStreamSetAttribute); CALL(cuEventQuery); CALL(cuGraphCreate); CALL(cuGraphAddKernelNode);
    CALL(cuGraphKernelNodeSetParams); CALL(cuGraphMemsetNodeGetParams); CALL(cuGraphMemsetNodeSetParams);
    CALL(cuGraphAddHostNode); CALL(cuGraphHostNodeGetParams); CALL(cuGraphHostNodeSetParams);
    CALL(cuGraphAddChildGraphNode); CALL(cuGraphChildGraphNodeGetGraph); CALL(cuGraphAddEmptyNode);
    CALL(cuGraphAddEventRecordNode); CALL(cuGraphEventRecordNodeGetEvent); CALL(cuGraphEventRecordNodeSetEvent);
    CALL(cuGraphAddEventWaitNode); CALL(cuGraphEventWaitNodeGetEvent); CALL(cuGraphEventWaitNodeSetEvent);
    CALL(cuGraphAddMemAllocNode); CALL(cuGraphMemAllocNodeGetParams); CALL(cuGraphAddMemFreeNode);
    CALL(cuGraphMemFreeNodeGetParams); CALL(cuGraphClone); CALL(cuGraphNodeFindInClone); CALL(cuGraphNodeGetType);
    CALL(cuGraphGetNodes); CALL(cuGraphGetRootNodes); CALL(cuGraphGetEdges); CALL(cuGraphGetEdges_v2);
    CALL(cuGraphNodeGetDependencies); CALL(cuGraphNodeGetDependencies_v2); CALL(cuGraphNodeGetDependentNodes);
    CALL(cuGraphNodeGetDependentNodes_v2); CALL(cuGraphAddDependencies); CALL(cuGraphAddDependencies_v2);
    CALL(cuGraphRemoveDependencies); CALL(cuGraphRemoveDependencies_v2); CALL(cuGraphDestroyNode);
    CALL(cuGraphInstantiateWithParams); CALL(cuGraphExecGetFlags); CALL(cuGraphExecKernelNodeSetParams);
    CALL(cuGraphExecMemsetNodeSetParams); CALL(cuGraphExecHostNodeSetParams);
    CALL(cuGraphExecChildGraphNodeSetParams); CALL(cuGraphExecEventRecordNodeSetEvent);
    CALL(cuGraphExecEventWaitNodeSetEvent); CALL(cuGraphNodeSetEnabled); CALL(cuGraphNodeGetEnabled);
    CALL(cuGraphUpload); CALL(cuGraphLaunch); CALL(cuGraphExecDestroy); CALL(cuGraphDestroy); CALL(cuGraphExecUpdate);
    CALL(cuGraphKernelNodeCopyAttributes); CALL(cuGraphKernelNodeGetAttribute); CALL(cuGraphKernelNodeSetAttribute);
    CALL(cuGraphDebugDotPrint); CALL(cuUserObjectCreate); CALL(cuUserObjectRetain); CALL(cuUserObjectRelease);
    CALL(cuGraphRetainUserObject); CALL(cuGraphReleaseUserObject); CALL(cuDeviceGet); CALL(cuDeviceGetName);
    CALL(cuDeviceGetUuid); CALL(cuDeviceGetUuid_v2); CALL(cuDeviceGetLuid); CALL(cuDeviceTotalMem);
    CALL(cuDeviceComputeCapability); CALL(cuDeviceGetProperties); CALL(cuDeviceGetTexture1DLinearMaxWidth);
    CALL(cuDeviceGetExecAffinitySupport); CALL(cuDeviceGetNvSciSyncAttributes); CALL(cuDevicePrimaryCtxRetain);
    CALL(cuDevicePrimaryCtxRelease); CALL(cuDevicePrimaryCtxSetFlags); CALL(cuDevicePrimaryCtxGetState);
    CALL(cuDevicePrimaryCtxReset); call("cuCtxCreate", (CUresult (*)(CUcontext *, unsigned, CUdevice))cuCtxCreate); CALL(cuCtxCreate_v3); CALL(cuCtxCreate_v4); CALL(cuCtxDestroy);
    CALL(cuCtxPushCurrent); CALL(cuCtxSetCurrent); CALL(cuCtxGetCurrent); CALL(cuCtxGetId); CALL(cuCtxGetApiVersion);
    CALL(cuLibraryGetKernel); CALL(cuLibraryLoadData); CALL(cuLibraryLoadFromFile); CALL(cuLibraryUnload);
    CALL(cuModuleGetFunctionCount); CALL(cuLibraryGetKernelCount); CALL(cuLibraryEnumerateKernels);
    CALL(cuModuleGetLoadingMode); CALL(cuKernelGetLibrary); CALL(cuLibraryGetManaged);
    CALL(cuLibraryGetUnifiedFunction); CALL(cuKernelGetAttribute); CALL(cuKernelSetAttribute);
    CALL(cuKernelSetCacheConfig); CALL(cuFuncIsLoaded); CALL(cuFuncLoad); CALL(cuMemGetAllocationGranularity);
    CALL(cuMemGetAllocationPropertiesFromHandle); CALL(cuMemAddressReserve); CALL(cuMemAddressFree);
    CALL(cuMemCreate); CALL(cuMemRelease); CALL(cuMemMap); CALL(cuMemUnmap); CALL(cuMemSetAccess);
    CALL(cuMemGetAccess); CALL(cuMemRetainAllocationHandle); CALL(cuMemExportToShareableHandle);
    CALL(cuMemImportFromShareableHandle); CALL(cuStreamWriteValue32); CALL(cuStreamWriteValue64);
    CALL(cuGraphAddMemcpyNode); CALL(cuGraphMemcpyNodeGetParams); CALL(cuGraphMemcpyNodeSetParams);
    CALL(cuGraphExecMemcpyNodeSetParams); CALL(cuGraphKernelNodeGetParams); CALL(cuGraphConditionalHandleCreate);
    CALL(cuGraphNodeSetParams); CALL(cuGraphExecNodeSetParams); CALL(cuImportExternalMemory);
    CALL(cuExternalMemoryGetMappedBuffer); CALL(cuExternalMemoryGetMappedMipmappedArray);
    CALL(cuDestroyExternalMemory); CALL(cuImportExternalSemaphore); CALL(cuSignalExternalSemaphoresAsync);
    CALL(cuWaitExternalSemaphoresAsync); CALL(cuDestroyExternalSemaphore);
    CALL(cuGraphAddExternalSemaphoresSignalNode); CALL(cuGraphExternalSemaphoresSignalNodeGetParams);
    CALL(cuGraphExternalSemaphoresSignalNodeSetParams); CALL(cuGraphAddExternalSemaphoresWaitNode);
    CALL(cuGraphExternalSemaphoresWaitNodeGetParams); CALL(cuGraphExternalSemaphoresWaitNodeSetParams);
    CALL(cuGraphExecExternalSemaphoresSignalNodeSetParams); CALL(cuGraphExecExternalSemaphoresWaitNodeSetParams);
    CALL(cuDeviceRegisterAsyncNotification); CALL(cuDeviceUnregisterAsyncNotification);
}

int main() {
    expected = CUDA_ERROR_NOT_INITIALIZED;
    in_context();
    without();
    printf("before cuInit: %d calls, %d give something else\n", calls, others);
    calls = others = 0;
    cuInit(0);
    expected = CUDA_ERROR_INVALID_CONTEXT;
    in_context();
    printf("without a context: %d calls, %d give something else\n", calls, others);
}
