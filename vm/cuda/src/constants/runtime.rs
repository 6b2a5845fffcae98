//! The runtime's enumerations and flags, with the driver's names for the same.

use super::constants;

constants! {
    // `cudaMemcpyKind`
    i32 {
        cudaMemcpyHostToHost = 0;
        cudaMemcpyHostToDevice = 1;
        cudaMemcpyDeviceToHost = 2;
        cudaMemcpyDeviceToDevice = 3;
        cudaMemcpyDefault = 4;
    }

    // `cudaMemoryType`
    u32 {
        cudaMemoryTypeUnregistered = 0;
        cudaMemoryTypeHost = 1;
        cudaMemoryTypeDevice = 2;
        cudaMemoryTypeManaged = 3;
    }

    // `cudaLimit` and `CUlimit`
    u32 {
        cudaLimitStackSize | CU_LIMIT_STACK_SIZE = 0;
        cudaLimitPrintfFifoSize | CU_LIMIT_PRINTF_FIFO_SIZE = 1;
        cudaLimitMallocHeapSize | CU_LIMIT_MALLOC_HEAP_SIZE = 2;
        cudaLimitDevRuntimeSyncDepth | CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH = 3;
        cudaLimitDevRuntimePendingLaunchCount | CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT = 4;
        cudaLimitMaxL2FetchGranularity | CU_LIMIT_MAX_L2_FETCH_GRANULARITY = 5;
        cudaLimitPersistingL2CacheSize | CU_LIMIT_PERSISTING_L2_CACHE_SIZE = 6;
        CU_LIMIT_SHMEM_SIZE = 7;
        CU_LIMIT_CIG_ENABLED = 8;
        CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED = 9;
    }

    // `cudaMemoryAdvise` and `CUmem_advise`
    u32 {
        cudaMemAdviseSetReadMostly | CU_MEM_ADVISE_SET_READ_MOSTLY = 1;
        cudaMemAdviseUnsetReadMostly | CU_MEM_ADVISE_UNSET_READ_MOSTLY = 2;
        cudaMemAdviseSetPreferredLocation | CU_MEM_ADVISE_SET_PREFERRED_LOCATION = 3;
        cudaMemAdviseUnsetPreferredLocation | CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 4;
        cudaMemAdviseSetAccessedBy | CU_MEM_ADVISE_SET_ACCESSED_BY = 5;
        cudaMemAdviseUnsetAccessedBy | CU_MEM_ADVISE_UNSET_ACCESSED_BY = 6;
    }

    // `cudaMemRangeAttribute` and `CUmem_range_attribute`
    u32 {
        cudaMemRangeAttributeReadMostly | CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = 1;
        cudaMemRangeAttributePreferredLocation | CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = 2;
        cudaMemRangeAttributeAccessedBy | CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = 3;
        cudaMemRangeAttributeLastPrefetchLocation | CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = 4;
        cudaMemRangeAttributePreferredLocationType | CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE = 5;
        cudaMemRangeAttributePreferredLocationId | CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID = 6;
        cudaMemRangeAttributeLastPrefetchLocationType
            | CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE = 7;
        cudaMemRangeAttributeLastPrefetchLocationId | CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID = 8;
    }

    // `cudaMemLocationType` and `CUmemLocationType`
    u32 {
        cudaMemLocationTypeInvalid | CU_MEM_LOCATION_TYPE_INVALID = 0;
        cudaMemLocationTypeDevice | CU_MEM_LOCATION_TYPE_DEVICE = 1;
        cudaMemLocationTypeHost | CU_MEM_LOCATION_TYPE_HOST = 2;
        cudaMemLocationTypeHostNuma | CU_MEM_LOCATION_TYPE_HOST_NUMA = 3;
        cudaMemLocationTypeHostNumaCurrent | CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT = 4;
    }

    // `cudaMemAccessFlags` and `CUmemAccess_flags`
    u32 {
        cudaMemAccessFlagsProtNone | CU_MEM_ACCESS_FLAGS_PROT_NONE = 0;
        cudaMemAccessFlagsProtRead | CU_MEM_ACCESS_FLAGS_PROT_READ = 1;
        cudaMemAccessFlagsProtReadWrite | CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3;
    }

    // `cudaMemAllocationType` and `CUmemAllocationType`
    u32 {
        cudaMemAllocationTypeInvalid | CU_MEM_ALLOCATION_TYPE_INVALID = 0;
        cudaMemAllocationTypePinned | CU_MEM_ALLOCATION_TYPE_PINNED = 1;
    }

    // `cudaMemAllocationHandleType` and `CUmemAllocationHandleType`
    u32 {
        cudaMemHandleTypeNone | CU_MEM_HANDLE_TYPE_NONE = 0;
        cudaMemHandleTypePosixFileDescriptor | CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1;
        cudaMemHandleTypeWin32 | CU_MEM_HANDLE_TYPE_WIN32 = 2;
        cudaMemHandleTypeWin32Kmt | CU_MEM_HANDLE_TYPE_WIN32_KMT = 4;
        cudaMemHandleTypeFabric | CU_MEM_HANDLE_TYPE_FABRIC = 8;
    }

    // `cudaMemPoolAttr` and `CUmemPool_attribute`
    u32 {
        cudaMemPoolReuseFollowEventDependencies | CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1;
        cudaMemPoolReuseAllowOpportunistic | CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC = 2;
        cudaMemPoolReuseAllowInternalDependencies | CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3;
        cudaMemPoolAttrReleaseThreshold | CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4;
        cudaMemPoolAttrReservedMemCurrent | CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT = 5;
        cudaMemPoolAttrReservedMemHigh | CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH = 6;
        cudaMemPoolAttrUsedMemCurrent | CU_MEMPOOL_ATTR_USED_MEM_CURRENT = 7;
        cudaMemPoolAttrUsedMemHigh | CU_MEMPOOL_ATTR_USED_MEM_HIGH = 8;
    }

    // `cudaMemcpySrcAccessOrder` and `CUmemcpySrcAccessOrder`
    u32 {
        cudaMemcpySrcAccessOrderInvalid | CU_MEMCPY_SRC_ACCESS_ORDER_INVALID = 0;
        cudaMemcpySrcAccessOrderStream | CU_MEMCPY_SRC_ACCESS_ORDER_STREAM = 1;
        cudaMemcpySrcAccessOrderDuringApiCall | CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL = 2;
        cudaMemcpySrcAccessOrderAny | CU_MEMCPY_SRC_ACCESS_ORDER_ANY = 3;
    }

    // `cudaMemcpyFlags` and `CUmemcpyFlags`
    u32 {
        cudaMemcpyFlagDefault | CU_MEMCPY_FLAG_DEFAULT = 0;
        cudaMemcpyFlagPreferOverlapWithCompute | CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE = 1;
    }

    // `cudaMemcpy3DOperandType` and `CUmemcpy3DOperandType`
    u32 {
        cudaMemcpyOperandTypePointer | CU_MEMCPY_OPERAND_TYPE_POINTER = 1;
        cudaMemcpyOperandTypeArray | CU_MEMCPY_OPERAND_TYPE_ARRAY = 2;
    }

    // Flags of memory
    u32 {
        cudaHostAllocPortable | CU_MEMHOSTALLOC_PORTABLE = 1;
        cudaHostAllocMapped | CU_MEMHOSTALLOC_DEVICEMAP = 2;
        cudaHostAllocWriteCombined | CU_MEMHOSTALLOC_WRITECOMBINED = 4;
        cudaHostRegisterPortable | CU_MEMHOSTREGISTER_PORTABLE = 1;
        cudaHostRegisterMapped | CU_MEMHOSTREGISTER_DEVICEMAP = 2;
        cudaHostRegisterIoMemory | CU_MEMHOSTREGISTER_IOMEMORY = 4;
        cudaHostRegisterReadOnly | CU_MEMHOSTREGISTER_READ_ONLY = 8;
        cudaMemAttachGlobal | CU_MEM_ATTACH_GLOBAL = 1;
        cudaMemAttachHost | CU_MEM_ATTACH_HOST = 2;
        cudaMemAttachSingle | CU_MEM_ATTACH_SINGLE = 4;
        cudaIpcMemLazyEnablePeerAccess | CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 1;
    }

    // Numbers that are no device
    i32 {
        cudaCpuDeviceId | CU_DEVICE_CPU = -1;
        cudaInvalidDeviceId | CU_DEVICE_INVALID = -2;
    }

    // `cudaResourceType` and `CUresourcetype`
    u32 {
        cudaResourceTypeArray | CU_RESOURCE_TYPE_ARRAY = 0;
        cudaResourceTypeMipmappedArray | CU_RESOURCE_TYPE_MIPMAPPED_ARRAY = 1;
        cudaResourceTypeLinear | CU_RESOURCE_TYPE_LINEAR = 2;
        cudaResourceTypePitch2D | CU_RESOURCE_TYPE_PITCH2D = 3;
    }

    // `cudaChannelFormatKind`
    u32 {
        cudaChannelFormatKindSigned = 0;
        cudaChannelFormatKindUnsigned = 1;
        cudaChannelFormatKindFloat = 2;
    }

    // `cudaTextureAddressMode` and `CUaddress_mode`
    u32 {
        cudaAddressModeWrap | CU_TR_ADDRESS_MODE_WRAP = 0;
        cudaAddressModeClamp | CU_TR_ADDRESS_MODE_CLAMP = 1;
        cudaAddressModeMirror | CU_TR_ADDRESS_MODE_MIRROR = 2;
        cudaAddressModeBorder | CU_TR_ADDRESS_MODE_BORDER = 3;
    }

    // `cudaTextureFilterMode` and `CUfilter_mode`
    u32 {
        cudaFilterModePoint | CU_TR_FILTER_MODE_POINT = 0;
        cudaFilterModeLinear | CU_TR_FILTER_MODE_LINEAR = 1;
    }

    // `cudaTextureReadMode`
    u32 {
        cudaReadModeElementType = 0;
        cudaReadModeNormalizedFloat = 1;
    }

    // Flags of arrays
    u32 {
        cudaArrayLayered | CUDA_ARRAY3D_LAYERED = 1;
        cudaArraySurfaceLoadStore | CUDA_ARRAY3D_SURFACE_LDST = 2;
        cudaArrayCubemap | CUDA_ARRAY3D_CUBEMAP = 4;
        cudaArrayTextureGather | CUDA_ARRAY3D_TEXTURE_GATHER = 8;
    }

    // `cudaFuncCache` and `CUfunc_cache`
    i32 {
        cudaFuncCachePreferNone | CU_FUNC_CACHE_PREFER_NONE = 0;
        cudaFuncCachePreferShared | CU_FUNC_CACHE_PREFER_SHARED = 1;
        cudaFuncCachePreferL1 | CU_FUNC_CACHE_PREFER_L1 = 2;
        cudaFuncCachePreferEqual | CU_FUNC_CACHE_PREFER_EQUAL = 3;
    }

    // `cudaSharedMemConfig` and `CUsharedconfig`
    i32 {
        cudaSharedMemBankSizeDefault | CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE = 0;
        cudaSharedMemBankSizeFourByte | CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE = 1;
        cudaSharedMemBankSizeEightByte | CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE = 2;
    }

    // `cudaLaunchAttributeID` and `CUlaunchAttributeID`
    u32 {
        cudaLaunchAttributeIgnore | CU_LAUNCH_ATTRIBUTE_IGNORE = 0;
        cudaLaunchAttributeAccessPolicyWindow | CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW = 1;
        cudaLaunchAttributeCooperative | CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2;
        cudaLaunchAttributeSynchronizationPolicy | CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY = 3;
        cudaLaunchAttributeClusterDimension | CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4;
        cudaLaunchAttributeClusterSchedulingPolicyPreference
            | CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 5;
        cudaLaunchAttributeProgrammaticStreamSerialization
            | CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6;
        cudaLaunchAttributeProgrammaticEvent | CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT = 7;
        cudaLaunchAttributePriority | CU_LAUNCH_ATTRIBUTE_PRIORITY = 8;
        cudaLaunchAttributeMemSyncDomainMap | CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP = 9;
        cudaLaunchAttributeMemSyncDomain | CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN = 10;
        cudaLaunchAttributePreferredClusterDimension | CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION = 11;
        cudaLaunchAttributeLaunchCompletionEvent | CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT = 12;
        cudaLaunchAttributeDeviceUpdatableKernelNode | CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE = 13;
        cudaLaunchAttributePreferredSharedMemoryCarveout
            | CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 14;
    }

    // `cudaSynchronizationPolicy` and `CUsynchronizationPolicy`
    u32 {
        cudaSyncPolicyAuto | CU_SYNC_POLICY_AUTO = 1;
        cudaSyncPolicySpin | CU_SYNC_POLICY_SPIN = 2;
        cudaSyncPolicyYield | CU_SYNC_POLICY_YIELD = 3;
        cudaSyncPolicyBlockingSync | CU_SYNC_POLICY_BLOCKING_SYNC = 4;
    }

    // `cudaAccessProperty` and `CUaccessProperty`
    u32 {
        cudaAccessPropertyNormal | CU_ACCESS_PROPERTY_NORMAL = 0;
        cudaAccessPropertyStreaming | CU_ACCESS_PROPERTY_STREAMING = 1;
        cudaAccessPropertyPersisting | CU_ACCESS_PROPERTY_PERSISTING = 2;
    }

    // `cudaClusterSchedulingPolicy` and `CUclusterSchedulingPolicy`
    u32 {
        cudaClusterSchedulingPolicyDefault | CU_CLUSTER_SCHEDULING_POLICY_DEFAULT = 0;
        cudaClusterSchedulingPolicySpread | CU_CLUSTER_SCHEDULING_POLICY_SPREAD = 1;
        cudaClusterSchedulingPolicyLoadBalancing | CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING = 2;
    }

    // `cudaSharedCarveout`
    i32 {
        cudaSharedmemCarveoutDefault | CU_SHAREDMEM_CARVEOUT_DEFAULT = -1;
        cudaSharedmemCarveoutMaxShared | CU_SHAREDMEM_CARVEOUT_MAX_SHARED = 100;
    }

    // Flags of streams and events
    u32 {
        cudaStreamNonBlocking | CU_STREAM_NON_BLOCKING = 1;
        cudaEventBlockingSync | CU_EVENT_BLOCKING_SYNC = 1;
        cudaEventDisableTiming | CU_EVENT_DISABLE_TIMING = 2;
        cudaEventInterprocess | CU_EVENT_INTERPROCESS = 4;
        cudaEventRecordExternal | CU_EVENT_RECORD_EXTERNAL = 1;
        cudaEventWaitExternal | CU_EVENT_WAIT_EXTERNAL = 1;
    }

    // Streams without a handle of their own
    u64 {
        cudaStreamLegacy | CU_STREAM_LEGACY = 1;
        cudaStreamPerThread | CU_STREAM_PER_THREAD = 2;
        cudaStreamTailLaunch = 3;
        cudaStreamFireAndForget = 4;
        cudaStreamGraphTailLaunch = 0x100000000000000;
        cudaStreamGraphFireAndForget = 0x200000000000000;
        cudaStreamGraphFireAndForgetAsSibling = 0x300000000000000;
    }

    // Flags of the device
    u32 {
        cudaDeviceScheduleMask | CU_CTX_SCHED_MASK = 7;
        cudaDeviceMapHost | CU_CTX_MAP_HOST = 8;
        cudaDeviceMask | CU_CTX_FLAGS_MASK = 255;
        cudaInitDeviceFlagsAreValid = 1;
    }

    // `cudaStreamCaptureMode` and `CUstreamCaptureMode`
    u32 {
        cudaStreamCaptureModeGlobal | CU_STREAM_CAPTURE_MODE_GLOBAL = 0;
        cudaStreamCaptureModeThreadLocal | CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1;
        cudaStreamCaptureModeRelaxed | CU_STREAM_CAPTURE_MODE_RELAXED = 2;
    }

    // `cudaStreamUpdateCaptureDependenciesFlags` and `CUstreamUpdateCaptureDependencies_flags`
    u32 {
        cudaStreamAddCaptureDependencies | CU_STREAM_ADD_CAPTURE_DEPENDENCIES = 0;
        cudaStreamSetCaptureDependencies | CU_STREAM_SET_CAPTURE_DEPENDENCIES = 1;
    }

    // `cudaGraphNodeType` and `CUgraphNodeType`
    u32 {
        cudaGraphNodeTypeKernel | CU_GRAPH_NODE_TYPE_KERNEL = 0;
        cudaGraphNodeTypeMemcpy | CU_GRAPH_NODE_TYPE_MEMCPY = 1;
        cudaGraphNodeTypeMemset | CU_GRAPH_NODE_TYPE_MEMSET = 2;
        cudaGraphNodeTypeHost | CU_GRAPH_NODE_TYPE_HOST = 3;
        cudaGraphNodeTypeGraph | CU_GRAPH_NODE_TYPE_GRAPH = 4;
        cudaGraphNodeTypeEmpty | CU_GRAPH_NODE_TYPE_EMPTY = 5;
        cudaGraphNodeTypeWaitEvent | CU_GRAPH_NODE_TYPE_WAIT_EVENT = 6;
        cudaGraphNodeTypeEventRecord | CU_GRAPH_NODE_TYPE_EVENT_RECORD = 7;
        cudaGraphNodeTypeExtSemaphoreSignal | CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL = 8;
        cudaGraphNodeTypeExtSemaphoreWait | CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT = 9;
        cudaGraphNodeTypeMemAlloc | CU_GRAPH_NODE_TYPE_MEM_ALLOC = 10;
        cudaGraphNodeTypeMemFree | CU_GRAPH_NODE_TYPE_MEM_FREE = 11;
        cudaGraphNodeTypeConditional | CU_GRAPH_NODE_TYPE_CONDITIONAL = 13;
    }

    // `cudaGraphConditionalNodeType` and `CUgraphConditionalNodeType`
    u32 {
        cudaGraphCondTypeIf | CU_GRAPH_COND_TYPE_IF = 0;
        cudaGraphCondTypeWhile | CU_GRAPH_COND_TYPE_WHILE = 1;
        cudaGraphCondTypeSwitch | CU_GRAPH_COND_TYPE_SWITCH = 2;
    }

    // `cudaGraphDependencyType` and `CUgraphDependencyType`
    u32 {
        cudaGraphDependencyTypeDefault | CU_GRAPH_DEPENDENCY_TYPE_DEFAULT = 0;
        cudaGraphDependencyTypeProgrammatic | CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC = 1;
    }

    // `cudaGraphExecUpdateResult` and `CUgraphExecUpdateResult`
    u32 {
        cudaGraphExecUpdateSuccess | CU_GRAPH_EXEC_UPDATE_SUCCESS = 0;
        cudaGraphExecUpdateError | CU_GRAPH_EXEC_UPDATE_ERROR = 1;
        cudaGraphExecUpdateErrorTopologyChanged | CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED = 2;
        cudaGraphExecUpdateErrorNodeTypeChanged | CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED = 3;
        cudaGraphExecUpdateErrorFunctionChanged | CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED = 4;
        cudaGraphExecUpdateErrorParametersChanged | CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED = 5;
        cudaGraphExecUpdateErrorNotSupported | CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED = 6;
        cudaGraphExecUpdateErrorUnsupportedFunctionChange
            | CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE = 7;
        cudaGraphExecUpdateErrorAttributesChanged | CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED = 8;
    }

    // `cudaGraphInstantiateResult` and `CUgraphInstantiateResult`
    u32 {
        cudaGraphInstantiateSuccess | CUDA_GRAPH_INSTANTIATE_SUCCESS = 0;
        cudaGraphInstantiateError | CUDA_GRAPH_INSTANTIATE_ERROR = 1;
        cudaGraphInstantiateInvalidStructure | CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE = 2;
        cudaGraphInstantiateNodeOperationNotSupported
            | CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED = 3;
        cudaGraphInstantiateMultipleDevicesNotSupported
            | CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED = 4;
        cudaGraphInstantiateConditionalHandleUnused | CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED = 5;
    }

    // `cudaGraphInstantiateFlags` and `CUgraphInstantiate_flags`
    u64 {
        cudaGraphInstantiateFlagAutoFreeOnLaunch | CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH = 1;
        cudaGraphInstantiateFlagUpload | CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD = 2;
        cudaGraphInstantiateFlagDeviceLaunch | CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH = 4;
        cudaGraphInstantiateFlagUseNodePriority | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY = 8;
    }

    // `cudaGraphMemAttributeType` and `CUgraphMem_attribute`
    u32 {
        cudaGraphMemAttrUsedMemCurrent | CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT = 0;
        cudaGraphMemAttrUsedMemHigh | CU_GRAPH_MEM_ATTR_USED_MEM_HIGH = 1;
        cudaGraphMemAttrReservedMemCurrent | CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT = 2;
        cudaGraphMemAttrReservedMemHigh | CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH = 3;
    }

    // Flags of graphs, and the last port of an edge
    u32 {
        cudaGraphKernelNodePortLaunchCompletion | CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER = 2;
        cudaGraphCondAssignDefault | CU_GRAPH_COND_ASSIGN_DEFAULT = 1;
        cudaUserObjectNoDestructorSync | CU_USER_OBJECT_NO_DESTRUCTOR_SYNC = 1;
        cudaGraphUserObjectMove | CU_GRAPH_USER_OBJECT_MOVE = 1;
    }

    // `cudaExternalMemoryHandleType` and `CUexternalMemoryHandleType`
    u32 {
        cudaExternalMemoryHandleTypeOpaqueFd | CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD = 1;
        cudaExternalMemoryHandleTypeOpaqueWin32 | CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32 = 2;
        cudaExternalMemoryHandleTypeOpaqueWin32Kmt | CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT = 3;
        cudaExternalMemoryHandleTypeD3D12Heap | CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP = 4;
        cudaExternalMemoryHandleTypeD3D12Resource | CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE = 5;
        cudaExternalMemoryHandleTypeD3D11Resource | CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE = 6;
        cudaExternalMemoryHandleTypeD3D11ResourceKmt | CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE_KMT = 7;
        cudaExternalMemoryHandleTypeNvSciBuf | CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF = 8;
    }

    // `cudaExternalSemaphoreHandleType` and `CUexternalSemaphoreHandleType`
    u32 {
        cudaExternalSemaphoreHandleTypeOpaqueFd | CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD = 1;
        cudaExternalSemaphoreHandleTypeOpaqueWin32 | CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32 = 2;
        cudaExternalSemaphoreHandleTypeOpaqueWin32Kmt
            | CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_KMT = 3;
        cudaExternalSemaphoreHandleTypeD3D12Fence | CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE = 4;
        cudaExternalSemaphoreHandleTypeD3D11Fence | CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_FENCE = 5;
        cudaExternalSemaphoreHandleTypeNvSciSync | CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC = 6;
        cudaExternalSemaphoreHandleTypeKeyedMutex | CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX = 7;
        cudaExternalSemaphoreHandleTypeKeyedMutexKmt
            | CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX_KMT = 8;
        cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd
            | CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD = 9;
        cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32
            | CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32 = 10;
    }

    // `cudaDeviceGetNvSciSyncAttributes`
    u32 {
        cudaNvSciSyncAttrSignal | CUDA_NVSCISYNC_ATTR_SIGNAL = 1;
        cudaNvSciSyncAttrWait | CUDA_NVSCISYNC_ATTR_WAIT = 2;
    }
}
