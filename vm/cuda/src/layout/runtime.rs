//! The runtime's structures.

use cudair_engine::structures;
use cudair_lane::ptr::Ptr;

structures! {
    struct dim3 (12) {
        0 all = "x" ..= "z": [u32; 3];
    }

    struct cudaExtent (24) {
        0 width: u64;
        8 height: u64;
        16 depth: u64;
        0 all = "width" ..= "depth": [u64; 3];
    }

    struct cudaPos (24) {
        0 all = "x" ..= "z": [u64; 3];
    }

    struct cudaPitchedPtr (32) {
        0 ptr: Ptr;
        8 pitch: u64;
        16 xsize: u64;
        24 ysize: u64;
    }

    struct cudaChannelFormatDesc (20) {
        0 bits = "x" ..= "w": [u32; 4];
        16 f: u32;
    }

    // Memory

    struct cudaMemLocation (8) {
        0 kind = "type": u32;
        4 id: i32;
    }

    struct cudaMemAccessDesc (12) {
        0 location: cudaMemLocation;
        8 flags: u32;
    }

    struct cudaMemPoolProps (88) {
        0 allocType: u32;
        4 handleTypes: u32;
        8 location: cudaMemLocation;
        24 maxSize: u64;
        32 usage: [u8; 2];
    }

    struct cudaMemPoolPtrExportData (64) {
        0 reserved: [u64; 8];
    }

    struct cudaPointerAttributes (24) {
        0 kind = "type": u32;
        4 device: i32;
        8 devicePointer: Ptr;
        16 hostPointer: Ptr;
    }

    struct cudaIpcMemHandle_t (64) {
        0 reserved: [u64; 8];
    }

    struct cudaIpcEventHandle_t (64) {
        0 reserved: [u64; 8];
    }

    struct cudaExternalMemoryHandleDesc (40) {
        0 kind = "type": u32;
        24 size: u64;
    }

    struct cudaExternalSemaphoreHandleDesc (32) {
        0 kind = "type": u32;
    }

    // Copies

    struct cudaMemcpy3DParms (160) {
        0 srcArray: Ptr;
        8 srcPos: cudaPos;
        32 srcPtr: cudaPitchedPtr;
        64 dstArray: Ptr;
        72 dstPos: cudaPos;
        96 dstPtr: cudaPitchedPtr;
        128 extent: cudaExtent;
        152 kind: i32;
    }

    struct cudaMemcpy3DPeerParms (168) {
        0 srcArray: Ptr;
        8 srcPos: cudaPos;
        32 srcPtr: cudaPitchedPtr;
        64 srcDevice: i32;
        72 dstArray: Ptr;
        80 dstPos: cudaPos;
        104 dstPtr: cudaPitchedPtr;
        136 dstDevice: i32;
        144 extent: cudaExtent;
    }

    struct cudaMemcpyAttributes (24) {
        0 srcAccessOrder: u32;
        4 srcLocHint: cudaMemLocation;
        12 dstLocHint: cudaMemLocation;
        20 flags: u32;
    }

    struct cudaMemcpy3DOperand (40) {
        0 kind = "type": u32;
        8 ptr = "op.ptr.ptr": Ptr;
        16 rowLength = "op.ptr.rowLength": u64;
        24 layerHeight = "op.ptr.layerHeight": u64;
        8 array = "op.array.array": Ptr;
        16 offset = "op.array.offset": [u64; 3];
    }

    struct cudaMemcpy3DBatchOp (112) {
        0 src: cudaMemcpy3DOperand;
        40 dst: cudaMemcpy3DOperand;
        80 extent: cudaExtent;
        104 srcAccessOrder: u32;
        108 flags: u32;
    }

    // Arrays, textures, surfaces

    struct cudaResourceDesc (64) {
        0 resType: u32;
        8 array = "res.array.array": Ptr;
        8 mipmap = "res.mipmap.mipmap": Ptr;
        8 linear_devPtr = "res.linear.devPtr": Ptr;
        16 linear_desc = "res.linear.desc": cudaChannelFormatDesc;
        40 linear_sizeInBytes = "res.linear.sizeInBytes": u64;
        8 pitch2D_devPtr = "res.pitch2D.devPtr": Ptr;
        16 pitch2D_desc = "res.pitch2D.desc": cudaChannelFormatDesc;
        40 pitch2D_width = "res.pitch2D.width": u64;
        48 pitch2D_height = "res.pitch2D.height": u64;
        56 pitch2D_pitchInBytes = "res.pitch2D.pitchInBytes": u64;
    }

    struct cudaTextureDesc (72) {
        0 addressMode: [u32; 3];
        12 filterMode: u32;
        16 readMode: u32;
        20 sRGB: u32;
        24 borderColor: [f32; 4];
        40 normalizedCoords: u32;
        44 maxAnisotropy: u32;
        48 mipmapFilterMode: u32;
        52 mipmapLevelBias: f32;
        56 minMipmapLevelClamp: f32;
        60 maxMipmapLevelClamp: f32;
    }

    /// What device code reads of a texture or surface object; it is the headers' own.
    struct __cudair_texture (120) {
        0 data: Ptr;
        8 pitch: u64;
        16 slice: u64;
        24 extent = "width" ..= "depth": [u32; 3];
        36 shape: u32;
        40 bits: u32;
        44 channels: u32;
        48 kind: u32;
        52 address: [u32; 3];
        64 filter: u32;
        68 read: u32;
        72 srgb: u32;
        76 border: [f32; 4];
        92 normalized: u32;
        96 anisotropy: u32;
        100 between: u32;
        104 bias: f32;
        108 lowest: f32;
        112 highest: f32;
        116 levels: u32;
    }

    /// A level of a mipmapped array, behind the texture.
    struct __cudair_level (40) {
        0 data: Ptr;
        8 pitch: u64;
        16 slice: u64;
        24 extent = "width" ..= "depth": [u32; 3];
    }

    // Launches and kernels

    struct cudaLaunchConfig_t (56) {
        0 gridDim: dim3;
        12 blockDim: dim3;
        24 dynamicSmemBytes: u64;
        32 stream: Ptr;
        40 attrs: Ptr;
        48 numAttrs: u32;
    }

    struct cudaLaunchAttribute (72) {
        0 id: u32;
        8 val: cudaLaunchAttributeValue;
    }

    struct cudaLaunchAttributeValue (64) {
        0 accessPolicyWindow: cudaAccessPolicyWindow;
        0 cooperative: i32;
        0 syncPolicy: u32;
        0 clusterDim: [u32; 3];
        0 clusterSchedulingPolicyPreference: u32;
        0 programmaticEvent_event = "programmaticEvent.event": Ptr;
        0 priority: i32;
        0 memSyncDomainMap: [u8; 2];
        0 memSyncDomain: u32;
        0 preferredClusterDim: [u32; 3];
        0 launchCompletionEvent_event = "launchCompletionEvent.event": Ptr;
        0 deviceUpdatable = "deviceUpdatableKernelNode.deviceUpdatable": i32;
        0 sharedMemCarveout: u32;
    }

    struct cudaAccessPolicyWindow (32) {
        0 base_ptr: Ptr;
        8 num_bytes: u64;
        16 hitRatio: f32;
        20 hitProp: u32;
        24 missProp: u32;
    }

    struct cudaFuncAttributes (144) {
        0 sharedSizeBytes: u64;
        8 constSizeBytes: u64;
        16 localSizeBytes: u64;
        24 maxThreadsPerBlock: u32;
        28 numRegs: u32;
        32 ptxVersion: u32;
        36 binaryVersion: u32;
        40 cacheModeCA: u32;
        44 maxDynamicSharedSizeBytes: u32;
        48 preferredShmemCarveout: i32;
        52 clusterDimMustBeSet: u32;
        56 requiredClusterWidth: u32;
        60 requiredClusterHeight: u32;
        64 requiredClusterDepth: u32;
        68 clusterSchedulingPolicyPreference: u32;
        72 nonPortableClusterSizeAllowed: u32;
    }

    // Graphs

    struct cudaKernelNodeParams (56) {
        0 func: Ptr;
        8 gridDim: dim3;
        20 blockDim: dim3;
        32 sharedMemBytes: u32;
        40 kernelParams: Ptr;
        48 extra: Ptr;
    }

    struct cudaMemsetParams (40) {
        0 dst: Ptr;
        8 pitch: u64;
        16 value: u32;
        20 elementSize: u32;
        24 width: u64;
        32 height: u64;
    }

    struct cudaHostNodeParams (16) {
        0 func = "fn": Ptr;
        8 userData: u64;
    }

    struct cudaMemAllocNodeParams (120) {
        0 poolProps: cudaMemPoolProps;
        88 accessDescs: Ptr;
        96 accessDescCount: u64;
        104 bytesize: u64;
        112 dptr: Ptr;
    }

    struct cudaMemFreeNodeParams (8) {
        0 dptr: Ptr;
    }

    struct cudaChildGraphNodeParams (16) {
        0 graph: Ptr;
    }

    struct cudaEventRecordNodeParams (8) {
        0 event: Ptr;
    }

    struct cudaEventWaitNodeParams (8) {
        0 event: Ptr;
    }

    struct cudaConditionalNodeParams (24) {
        0 handle: u64;
        8 kind = "type": u32;
        12 size: u32;
        16 phGraph_out: Ptr;
    }

    struct cudaGraphNodeParams (256) {
        0 kind = "type": u32;
        16 kernel: cudaKernelNodeParams;
        32 memcpy_copyParams = "memcpy.copyParams": cudaMemcpy3DParms;
        16 memset: cudaMemsetParams;
        16 host: cudaHostNodeParams;
        16 graph: cudaChildGraphNodeParams;
        16 eventWait: cudaEventWaitNodeParams;
        16 eventRecord: cudaEventRecordNodeParams;
        16 alloc: cudaMemAllocNodeParams;
        16 free: cudaMemFreeNodeParams;
        16 conditional: cudaConditionalNodeParams;
    }

    struct cudaGraphEdgeData (8) {
        0 from_port: u8;
        1 to_port: u8;
        2 kind = "type": u8;
        3 reserved: [u8; 5];
    }

    struct cudaGraphInstantiateParams (32) {
        0 flags: u64;
        8 uploadStream: Ptr;
        16 errNode_out: Ptr;
        24 result_out: u32;
    }

    struct cudaGraphExecUpdateResultInfo (24) {
        0 result: u32;
        8 errorNode: Ptr;
        16 errorFromNode: Ptr;
    }

    // Devices

    struct cudaDeviceProp (1032) {
        0 name: [u8; 256];
        256 uuid: [u8; 16];
        272 luid: [u8; 8];
        280 luidDeviceNodeMask: u32;
        288 totalGlobalMem: u64;
        296 sharedMemPerBlock: u64;
        304 regsPerBlock: i32;
        308 warpSize: i32;
        312 memPitch: u64;
        320 maxThreadsPerBlock: i32;
        324 maxThreadsDim: [i32; 3];
        336 maxGridSize: [i32; 3];
        348 clockRate: i32;
        352 totalConstMem: u64;
        360 major: i32;
        364 minor: i32;
        368 textureAlignment: u64;
        376 texturePitchAlignment: u64;
        384 deviceOverlap: i32;
        388 multiProcessorCount: i32;
        392 kernelExecTimeoutEnabled: i32;
        396 integrated: i32;
        400 canMapHostMemory: i32;
        404 computeMode: i32;
        408 maxTexture1D: i32;
        412 maxTexture1DMipmap: i32;
        416 maxTexture1DLinear: i32;
        420 maxTexture2D: [i32; 2];
        428 maxTexture2DMipmap: [i32; 2];
        436 maxTexture2DLinear: [i32; 3];
        448 maxTexture2DGather: [i32; 2];
        456 maxTexture3D: [i32; 3];
        468 maxTexture3DAlt: [i32; 3];
        480 maxTextureCubemap: i32;
        484 maxTexture1DLayered: [i32; 2];
        492 maxTexture2DLayered: [i32; 3];
        504 maxTextureCubemapLayered: [i32; 2];
        512 maxSurface1D: i32;
        516 maxSurface2D: [i32; 2];
        524 maxSurface3D: [i32; 3];
        536 maxSurface1DLayered: [i32; 2];
        544 maxSurface2DLayered: [i32; 3];
        556 maxSurfaceCubemap: i32;
        560 maxSurfaceCubemapLayered: [i32; 2];
        568 surfaceAlignment: u64;
        576 concurrentKernels: i32;
        580 ECCEnabled: i32;
        584 pciBusID: i32;
        588 pciDeviceID: i32;
        592 pciDomainID: i32;
        596 tccDriver: i32;
        600 asyncEngineCount: i32;
        604 unifiedAddressing: i32;
        608 memoryClockRate: i32;
        612 memoryBusWidth: i32;
        616 l2CacheSize: i32;
        620 persistingL2CacheMaxSize: i32;
        624 maxThreadsPerMultiProcessor: i32;
        628 streamPrioritiesSupported: i32;
        632 globalL1CacheSupported: i32;
        636 localL1CacheSupported: i32;
        640 sharedMemPerMultiprocessor: u64;
        648 regsPerMultiprocessor: i32;
        652 managedMemory: i32;
        656 isMultiGpuBoard: i32;
        660 multiGpuBoardGroupID: i32;
        664 hostNativeAtomicSupported: i32;
        668 singleToDoublePrecisionPerfRatio: i32;
        672 pageableMemoryAccess: i32;
        676 concurrentManagedAccess: i32;
        680 computePreemptionSupported: i32;
        684 canUseHostPointerForRegisteredMem: i32;
        688 cooperativeLaunch: i32;
        692 cooperativeMultiDeviceLaunch: i32;
        696 sharedMemPerBlockOptin: u64;
        704 pageableMemoryAccessUsesHostPageTables: i32;
        708 directManagedMemAccessFromHost: i32;
        712 maxBlocksPerMultiProcessor: i32;
        716 accessPolicyMaxWindowSize: i32;
        720 reservedSharedMemPerBlock: u64;
        728 hostRegisterSupported: i32;
        732 sparseCudaArraySupported: i32;
        736 hostRegisterReadOnlySupported: i32;
        740 timelineSemaphoreInteropSupported: i32;
        744 memoryPoolsSupported: i32;
        748 gpuDirectRDMASupported: i32;
        752 gpuDirectRDMAFlushWritesOptions: u32;
        756 gpuDirectRDMAWritesOrdering: i32;
        760 memoryPoolSupportedHandleTypes: u32;
        764 deferredMappingCudaArraySupported: i32;
        768 ipcEventSupported: i32;
        772 clusterLaunch: i32;
        776 unifiedFunctionPointers: i32;
        780 reserved: [i32; 63];
    }
}
