//! The driver's structures: those that differ from the runtime's, and which of the others are read as the runtime's.

use super::alike;
use super::runtime::*;
use cudair_engine::structures;
use cudair_lane::ptr::Ptr;

structures! {
    struct CUdevprop (56) {
        0 maxThreadsPerBlock: i32;
        4 maxThreadsDim: [i32; 3];
        16 maxGridSize: [i32; 3];
        28 sharedMemPerBlock: i32;
        32 totalConstantMemory: i32;
        36 SIMDWidth: i32;
        40 memPitch: i32;
        44 regsPerBlock: i32;
        48 clockRate: i32;
        52 textureAlign: i32;
    }

    struct CUctxCreateParams (24) {
        8 numExecAffinityParams: i32;
        16 cigParams: Ptr;
    }

    struct CUmemAllocationProp (32) {
        0 kind = "type": u32;
        4 requestedHandleTypes: u32;
        8 location: cudaMemLocation;
    }

    struct CUlaunchConfig (56) {
        0 gridDim = "gridDimX" ..= "gridDimZ": dim3;
        12 blockDim = "blockDimX" ..= "blockDimZ": dim3;
        24 sharedMemBytes: u32;
        32 hStream: Ptr;
        40 attrs: Ptr;
        48 numAttrs: u32;
    }

    /// What stands behind that of the runtime's nodes: a kernel and a context.
    struct CUDA_KERNEL_NODE_PARAMS (72) {
        56 kern: Ptr;
        64 ctx: Ptr;
        56 behind = "kern" ..= "ctx": [Ptr; 2];
    }

    // Arrays, textures

    struct CUDA_ARRAY_DESCRIPTOR (24) {
        0 Width: u64;
        8 Height: u64;
        16 Format: u32;
        20 NumChannels: u32;
    }

    struct CUDA_ARRAY3D_DESCRIPTOR (40) {
        0 extent = "Width" ..= "Depth": [u64; 3];
        24 Format: u32;
        28 NumChannels: u32;
        32 Flags: u32;
    }

    struct CUDA_RESOURCE_DESC (144) {
        0 resType: u32;
        8 hArray = "res.array.hArray": Ptr;
        8 hMipmappedArray = "res.mipmap.hMipmappedArray": Ptr;
        8 linear_devPtr = "res.linear.devPtr": Ptr;
        16 linear_format = "res.linear.format": u32;
        20 linear_numChannels = "res.linear.numChannels": u32;
        24 linear_sizeInBytes = "res.linear.sizeInBytes": u64;
        8 pitch2D_devPtr = "res.pitch2D.devPtr": Ptr;
        16 pitch2D_format = "res.pitch2D.format": u32;
        20 pitch2D_numChannels = "res.pitch2D.numChannels": u32;
        24 pitch2D_width = "res.pitch2D.width": u64;
        32 pitch2D_height = "res.pitch2D.height": u64;
        40 pitch2D_pitchInBytes = "res.pitch2D.pitchInBytes": u64;
    }

    struct CUDA_TEXTURE_DESC (104) {
        0 addressMode: [u32; 3];
        12 filterMode: u32;
        16 flags: u32;
        20 maxAnisotropy: u32;
        24 mipmapFilterMode: u32;
        28 mipmapLevelBias: f32;
        32 minMipmapLevelClamp: f32;
        36 maxMipmapLevelClamp: f32;
        40 borderColor: [f32; 4];
    }

    // Copies

    struct CUDA_MEMCPY2D (128) {
        0 srcXInBytes: u64;
        8 srcY: u64;
        16 srcMemoryType: u32;
        24 srcHost: Ptr;
        32 srcDevice: Ptr;
        40 srcArray: Ptr;
        48 srcPitch: u64;
        56 dstXInBytes: u64;
        64 dstY: u64;
        72 dstMemoryType: u32;
        80 dstHost: Ptr;
        88 dstDevice: Ptr;
        96 dstArray: Ptr;
        104 dstPitch: u64;
        112 WidthInBytes: u64;
        120 Height: u64;
    }

    struct CUDA_MEMCPY3D (200) {
        0 srcXInBytes: u64;
        8 srcY: u64;
        16 srcZ: u64;
        32 srcMemoryType: u32;
        40 srcHost: Ptr;
        48 srcDevice: Ptr;
        56 srcArray: Ptr;
        72 srcPitch: u64;
        80 srcHeight: u64;
        88 dstXInBytes: u64;
        96 dstY: u64;
        104 dstZ: u64;
        120 dstMemoryType: u32;
        128 dstHost: Ptr;
        136 dstDevice: Ptr;
        144 dstArray: Ptr;
        160 dstPitch: u64;
        168 dstHeight: u64;
        176 WidthInBytes: u64;
        184 Height: u64;
        192 Depth: u64;
    }
}

alike! {
    CUmemLocation as cudaMemLocation {
        "type" = kind;
        "id" = id;
    }

    CUmemAccessDesc as cudaMemAccessDesc {
        "location" = location;
        "flags" = flags;
    }

    CUmemPoolProps as cudaMemPoolProps {
        "allocType" = allocType;
        "handleTypes" = handleTypes;
        "location" = location;
        "maxSize" = maxSize;
        "usage" = usage;
    }

    CUmemPoolPtrExportData as cudaMemPoolPtrExportData {
        "reserved" = reserved;
    }

    CUipcMemHandle as cudaIpcMemHandle_t {
        "reserved" = reserved;
    }

    CUipcEventHandle as cudaIpcEventHandle_t {
        "reserved" = reserved;
    }

    CUmemcpyAttributes as cudaMemcpyAttributes {
        "srcAccessOrder" = srcAccessOrder;
        "srcLocHint" = srcLocHint;
        "dstLocHint" = dstLocHint;
        "flags" = flags;
    }

    CUmemcpy3DOperand as cudaMemcpy3DOperand {
        "type" = kind;
        "op.ptr.ptr" = ptr;
        "op.ptr.rowLength" = rowLength;
        "op.ptr.layerHeight" = layerHeight;
        "op.array.array" = array;
        "op.array.offset" = offset;
    }

    CUDA_MEMCPY3D_BATCH_OP as cudaMemcpy3DBatchOp {
        "src" = src;
        "dst" = dst;
        "extent" = extent;
        "srcAccessOrder" = srcAccessOrder;
        "flags" = flags;
    }

    CUDA_MEMCPY3D_PEER as CUDA_MEMCPY3D {
        "srcXInBytes" = srcXInBytes;
        "srcY" = srcY;
        "srcZ" = srcZ;
        "srcMemoryType" = srcMemoryType;
        "srcHost" = srcHost;
        "srcDevice" = srcDevice;
        "srcArray" = srcArray;
        "srcPitch" = srcPitch;
        "srcHeight" = srcHeight;
        "dstXInBytes" = dstXInBytes;
        "dstY" = dstY;
        "dstZ" = dstZ;
        "dstMemoryType" = dstMemoryType;
        "dstHost" = dstHost;
        "dstDevice" = dstDevice;
        "dstArray" = dstArray;
        "dstPitch" = dstPitch;
        "dstHeight" = dstHeight;
        "WidthInBytes" = WidthInBytes;
        "Height" = Height;
        "Depth" = Depth;
    }

    CUlaunchAttribute as cudaLaunchAttribute {
        "id" = id;
        "value" = val;
    }

    CUlaunchAttributeValue as cudaLaunchAttributeValue {
        "accessPolicyWindow" = accessPolicyWindow;
        "cooperative" = cooperative;
        "syncPolicy" = syncPolicy;
        "clusterDim" = clusterDim;
        "clusterSchedulingPolicyPreference" = clusterSchedulingPolicyPreference;
        "programmaticEvent.event" = programmaticEvent_event;
        "priority" = priority;
        "memSyncDomainMap" = memSyncDomainMap;
        "memSyncDomain" = memSyncDomain;
        "preferredClusterDim" = preferredClusterDim;
        "launchCompletionEvent.event" = launchCompletionEvent_event;
        "deviceUpdatableKernelNode.deviceUpdatable" = deviceUpdatable;
        "sharedMemCarveout" = sharedMemCarveout;
    }

    CUaccessPolicyWindow as cudaAccessPolicyWindow {
        "base_ptr" = base_ptr;
        "num_bytes" = num_bytes;
        "hitRatio" = hitRatio;
        "hitProp" = hitProp;
        "missProp" = missProp;
    }

    CUDA_KERNEL_NODE_PARAMS as cudaKernelNodeParams {
        "func" = func;
        "gridDimX" ..= "gridDimZ" = gridDim;
        "blockDimX" ..= "blockDimZ" = blockDim;
        "sharedMemBytes" = sharedMemBytes;
        "kernelParams" = kernelParams;
        "extra" = extra;
    }

    CUDA_MEMSET_NODE_PARAMS as cudaMemsetParams {
        "dst" = dst;
        "pitch" = pitch;
        "value" = value;
        "elementSize" = elementSize;
        "width" = width;
        "height" = height;
    }

    CUDA_HOST_NODE_PARAMS as cudaHostNodeParams {
        "fn" = func;
        "userData" = userData;
    }

    CUDA_MEM_ALLOC_NODE_PARAMS as cudaMemAllocNodeParams {
        "poolProps" = poolProps;
        "accessDescs" = accessDescs;
        "accessDescCount" = accessDescCount;
        "bytesize" = bytesize;
        "dptr" = dptr;
    }

    CUDA_CONDITIONAL_NODE_PARAMS as cudaConditionalNodeParams {
        "handle" = handle;
        "type" = kind;
        "size" = size;
        "phGraph_out" = phGraph_out;
    }

    CUgraphNodeParams as cudaGraphNodeParams {
        "type" = kind;
        "memset.dst" ..= "memset.height" = memset;
        "host" = host;
        "graph" = graph;
        "eventWait" = eventWait;
        "eventRecord" = eventRecord;
        "alloc" = alloc;
        "free" = free;
        "conditional.handle" ..= "conditional.phGraph_out" = conditional;
    }

    CUgraphEdgeData as cudaGraphEdgeData {
        "from_port" = from_port;
        "to_port" = to_port;
        "type" = kind;
        "reserved" = reserved;
    }

    CUDA_GRAPH_INSTANTIATE_PARAMS as cudaGraphInstantiateParams {
        "flags" = flags;
        "hUploadStream" = uploadStream;
        "hErrNode_out" = errNode_out;
        "result_out" = result_out;
    }

    CUgraphExecUpdateResultInfo as cudaGraphExecUpdateResultInfo {
        "result" = result;
        "errorNode" = errorNode;
        "errorFromNode" = errorFromNode;
    }

    CUDA_EXTERNAL_MEMORY_HANDLE_DESC as cudaExternalMemoryHandleDesc {
        "type" = kind;
        "size" = size;
    }

    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC as cudaExternalSemaphoreHandleDesc {
        "type" = kind;
    }
}
