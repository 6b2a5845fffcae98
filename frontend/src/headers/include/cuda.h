/* The driver interface, as far as programs of the runtime mix it in: devices, contexts, memory, streams, events and
   errors, each by what the runtime has for it. A module holds what the program's sources do. Of linking there
   are the names, whose calls cudair names as unsupported. */
#ifndef CUDAIR_CUDA_H
#define CUDAIR_CUDA_H
#define __cuda_cuda_h__

#include <stddef.h>
#include <stdint.h>

#include "host_defines.h"
#include "cuda_runtime_api.h"

#define CUDA_VERSION __CUDAIR_CUDA_VERSION
#define CUDAAPI

typedef int CUdevice_v1;
typedef CUdevice_v1 CUdevice;
typedef unsigned long long CUdeviceptr_v2;
typedef CUdeviceptr_v2 CUdeviceptr;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef struct CUlib_st* CUlibrary;
typedef struct CUkern_st* CUkernel;
typedef struct CUlinkState_st* CUlinkState;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef cudaArray_t CUarray;
typedef cudaTextureObject_t CUtexObject;
typedef cudaSurfaceObject_t CUsurfObject;
typedef unsigned long long CUmemGenericAllocationHandle;
typedef cudaMemPool_t CUmemoryPool;

#if !defined(__CUDAIR_PARTS) || defined(__CUDAIR_PART_DRIVER)
/* The runtime's errors have the driver's numbers, but for their names. */
#define __CUDAIR_CU_ERRORS(X)                                                          \
    X(CUDA_SUCCESS, 0)                                                                 \
    X(CUDA_ERROR_INVALID_VALUE, 1)                                                     \
    X(CUDA_ERROR_OUT_OF_MEMORY, 2)                                                     \
    X(CUDA_ERROR_NOT_INITIALIZED, 3)                                                   \
    X(CUDA_ERROR_DEINITIALIZED, 4)                                                     \
    X(CUDA_ERROR_PROFILER_DISABLED, 5)                                                 \
    X(CUDA_ERROR_STUB_LIBRARY, 34)                                                     \
    X(CUDA_ERROR_DEVICE_UNAVAILABLE, 46)                                               \
    X(CUDA_ERROR_NO_DEVICE, 100)                                                       \
    X(CUDA_ERROR_INVALID_DEVICE, 101)                                                  \
    X(CUDA_ERROR_INVALID_IMAGE, 200)                                                   \
    X(CUDA_ERROR_INVALID_CONTEXT, 201)                                                 \
    X(CUDA_ERROR_MAP_FAILED, 205)                                                      \
    X(CUDA_ERROR_UNMAP_FAILED, 206)                                                    \
    X(CUDA_ERROR_ALREADY_MAPPED, 208)                                                  \
    X(CUDA_ERROR_NO_BINARY_FOR_GPU, 209)                                               \
    X(CUDA_ERROR_UNSUPPORTED_LIMIT, 215)                                               \
    X(CUDA_ERROR_INVALID_PTX, 218)                                                     \
    X(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221)                                          \
    X(CUDA_ERROR_INVALID_SOURCE, 300)                                                  \
    X(CUDA_ERROR_FILE_NOT_FOUND, 301)                                                  \
    X(CUDA_ERROR_OPERATING_SYSTEM, 304)                                                \
    X(CUDA_ERROR_INVALID_HANDLE, 400)                                                  \
    X(CUDA_ERROR_ILLEGAL_STATE, 401)                                                   \
    X(CUDA_ERROR_NOT_FOUND, 500)                                                       \
    X(CUDA_ERROR_NOT_READY, 600)                                                       \
    X(CUDA_ERROR_ILLEGAL_ADDRESS, 700)                                                 \
    X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701)                                         \
    X(CUDA_ERROR_LAUNCH_TIMEOUT, 702)                                                  \
    X(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704)                                     \
    X(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705)                                         \
    X(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, 708)                                          \
    X(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709)                                            \
    X(CUDA_ERROR_ASSERT, 710)                                                          \
    X(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712)                                  \
    X(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713)                                      \
    X(CUDA_ERROR_MISALIGNED_ADDRESS, 716)                                              \
    X(CUDA_ERROR_LAUNCH_FAILED, 719)                                                   \
    X(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720)                                    \
    X(CUDA_ERROR_NOT_PERMITTED, 800)                                                   \
    X(CUDA_ERROR_NOT_SUPPORTED, 801)                                                   \
    X(CUDA_ERROR_UNKNOWN, 999)
#define __CUDAIR_CU_ENUMERATOR(NAME, NUMBER) NAME = NUMBER,
typedef enum cudaError_enum { __CUDAIR_CU_ERRORS(__CUDAIR_CU_ENUMERATOR) } CUresult;
#undef __CUDAIR_CU_ENUMERATOR

/* Attributes have the runtime's numbers. */
typedef enum CUdevice_attribute_enum {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
    CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
    CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = 14,
    CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = 15,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = 17,
    CU_DEVICE_ATTRIBUTE_INTEGRATED = 18,
    CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19,
    CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH = 21,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH = 22,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT = 23,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = 31,
    CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32,
    CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = 33,
    CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 34,
    CU_DEVICE_ATTRIBUTE_TCC_DRIVER = 35,
    CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40,
    CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
    CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 50,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED = 78,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
    CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
    CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD = 84,
    CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS = 88,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102,
    CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED = 102,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED = 103,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = 106,
    CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED = 107,
    CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115
} CUdevice_attribute;

typedef enum CUcomputemode_enum {
    CU_COMPUTEMODE_DEFAULT = 0,
    CU_COMPUTEMODE_PROHIBITED = 2,
    CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3
} CUcomputemode;
typedef struct CUctxCreateParams_st {
    void* execAffinityParams;
    int numExecAffinityParams;
    void* cigParams;
} CUctxCreateParams;
typedef enum CUctx_flags_enum {
    CU_CTX_SCHED_AUTO = 0x00,
    CU_CTX_SCHED_SPIN = 0x01,
    CU_CTX_SCHED_YIELD = 0x02,
    CU_CTX_SCHED_BLOCKING_SYNC = 0x04,
    CU_CTX_MAP_HOST = 0x08,
    CU_CTX_LMEM_RESIZE_TO_MAX = 0x10
} CUctx_flags;
typedef enum CUstream_flags_enum { CU_STREAM_DEFAULT = 0x0, CU_STREAM_NON_BLOCKING = 0x1 } CUstream_flags;
typedef enum CUevent_flags_enum {
    CU_EVENT_DEFAULT = 0x0,
    CU_EVENT_BLOCKING_SYNC = 0x1,
    CU_EVENT_DISABLE_TIMING = 0x2,
    CU_EVENT_INTERPROCESS = 0x4
} CUevent_flags;
typedef enum CUmemAttach_flags_enum {
    CU_MEM_ATTACH_GLOBAL = 0x1,
    CU_MEM_ATTACH_HOST = 0x2,
    CU_MEM_ATTACH_SINGLE = 0x4
} CUmemAttach_flags;
#define CU_MEMHOSTALLOC_PORTABLE 0x01
#define CU_MEMHOSTALLOC_DEVICEMAP 0x02
#define CU_MEMHOSTALLOC_WRITECOMBINED 0x04
#define CU_MEMHOSTREGISTER_PORTABLE 0x01
#define CU_MEMHOSTREGISTER_DEVICEMAP 0x02
#define CU_MEMHOSTREGISTER_IOMEMORY 0x04
#define CU_MEMHOSTREGISTER_READ_ONLY 0x08
#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)
typedef enum CUjit_option_enum {
    CU_JIT_MAX_REGISTERS = 0,
    CU_JIT_THREADS_PER_BLOCK,
    CU_JIT_WALL_TIME,
    CU_JIT_INFO_LOG_BUFFER,
    CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
    CU_JIT_ERROR_LOG_BUFFER,
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    CU_JIT_OPTIMIZATION_LEVEL,
    CU_JIT_TARGET_FROM_CUCONTEXT,
    CU_JIT_TARGET,
    CU_JIT_FALLBACK_STRATEGY,
    CU_JIT_GENERATE_DEBUG_INFO,
    CU_JIT_LOG_VERBOSE,
    CU_JIT_GENERATE_LINE_INFO,
    CU_JIT_CACHE_MODE
} CUjit_option;
typedef enum CUjitInputType_enum {
    CU_JIT_INPUT_CUBIN = 0,
    CU_JIT_INPUT_PTX,
    CU_JIT_INPUT_FATBINARY,
    CU_JIT_INPUT_OBJECT,
    CU_JIT_INPUT_LIBRARY
} CUjitInputType;
typedef enum CUfunction_attribute_enum {
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
    CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES,
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
    CU_FUNC_ATTRIBUTE_NUM_REGS,
    CU_FUNC_ATTRIBUTE_PTX_VERSION,
    CU_FUNC_ATTRIBUTE_BINARY_VERSION,
    CU_FUNC_ATTRIBUTE_CACHE_MODE_CA,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
    CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT
} CUfunction_attribute;
/* Virtual memory. */
typedef enum CUmemAllocationType_enum { CU_MEM_ALLOCATION_TYPE_INVALID = 0, CU_MEM_ALLOCATION_TYPE_PINNED = 1 } CUmemAllocationType;
typedef enum CUmemLocationType_enum { CU_MEM_LOCATION_TYPE_INVALID = 0, CU_MEM_LOCATION_TYPE_DEVICE = 1 } CUmemLocationType;
typedef enum CUmemAllocationHandleType_enum {
    CU_MEM_HANDLE_TYPE_NONE = 0,
    CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1,
    CU_MEM_HANDLE_TYPE_WIN32 = 2
} CUmemAllocationHandleType;
typedef enum CUmemAccess_flags_enum {
    CU_MEM_ACCESS_FLAGS_PROT_NONE = 0,
    CU_MEM_ACCESS_FLAGS_PROT_READ = 1,
    CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3
} CUmemAccess_flags;
typedef enum CUmemAllocationGranularity_flags_enum {
    CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
    CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1
} CUmemAllocationGranularity_flags;
typedef enum CUmemAllocationCompType_enum {
    CU_MEM_ALLOCATION_COMP_NONE = 0,
    CU_MEM_ALLOCATION_COMP_GENERIC = 1
} CUmemAllocationCompType;
typedef struct CUmemLocation_st {
    CUmemLocationType type;
    int id;
} CUmemLocation;
typedef struct CUmemAllocationProp_st {
    CUmemAllocationType type;
    CUmemAllocationHandleType requestedHandleTypes;
    CUmemLocation location;
    void* win32HandleMetaData;
    struct {
        unsigned char compressionType;
        unsigned char gpuDirectRDMACapable;
        unsigned short usage;
        unsigned char reserved[4];
    } allocFlags;
} CUmemAllocationProp;
typedef struct CUmemAccessDesc_st {
    CUmemLocation location;
    CUmemAccess_flags flags;
} CUmemAccessDesc;

/* Arrays and textures. */
typedef enum CUarray_format_enum {
    CU_AD_FORMAT_UNSIGNED_INT8 = 0x01,
    CU_AD_FORMAT_UNSIGNED_INT16 = 0x02,
    CU_AD_FORMAT_UNSIGNED_INT32 = 0x03,
    CU_AD_FORMAT_SIGNED_INT8 = 0x08,
    CU_AD_FORMAT_SIGNED_INT16 = 0x09,
    CU_AD_FORMAT_SIGNED_INT32 = 0x0a,
    CU_AD_FORMAT_HALF = 0x10,
    CU_AD_FORMAT_FLOAT = 0x20
} CUarray_format;
typedef enum CUaddress_mode_enum {
    CU_TR_ADDRESS_MODE_WRAP = 0,
    CU_TR_ADDRESS_MODE_CLAMP = 1,
    CU_TR_ADDRESS_MODE_MIRROR = 2,
    CU_TR_ADDRESS_MODE_BORDER = 3
} CUaddress_mode;
typedef enum CUfilter_mode_enum { CU_TR_FILTER_MODE_POINT = 0, CU_TR_FILTER_MODE_LINEAR = 1 } CUfilter_mode;
typedef enum CUmemorytype_enum {
    CU_MEMORYTYPE_HOST = 1,
    CU_MEMORYTYPE_DEVICE = 2,
    CU_MEMORYTYPE_ARRAY = 3,
    CU_MEMORYTYPE_UNIFIED = 4
} CUmemorytype;
typedef enum CUresourcetype_enum {
    CU_RESOURCE_TYPE_ARRAY = 0,
    CU_RESOURCE_TYPE_MIPMAPPED_ARRAY = 1,
    CU_RESOURCE_TYPE_LINEAR = 2,
    CU_RESOURCE_TYPE_PITCH2D = 3
} CUresourcetype;
#define CU_TRSF_READ_AS_INTEGER 0x01
#define CU_TRSF_NORMALIZED_COORDINATES 0x02
#define CU_TRSF_SRGB 0x10
typedef struct CUDA_ARRAY_DESCRIPTOR_st {
    size_t Width;
    size_t Height;
    CUarray_format Format;
    unsigned int NumChannels;
} CUDA_ARRAY_DESCRIPTOR;
typedef struct CUDA_MEMCPY2D_st {
    size_t srcXInBytes;
    size_t srcY;
    CUmemorytype srcMemoryType;
    const void* srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    size_t srcPitch;
    size_t dstXInBytes;
    size_t dstY;
    CUmemorytype dstMemoryType;
    void* dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    size_t dstPitch;
    size_t WidthInBytes;
    size_t Height;
} CUDA_MEMCPY2D;
typedef struct CUDA_RESOURCE_DESC_st {
    CUresourcetype resType;
    union {
        struct {
            CUarray hArray;
        } array;
        struct {
            cudaMipmappedArray_t hMipmappedArray;
        } mipmap;
        struct {
            CUdeviceptr devPtr;
            CUarray_format format;
            unsigned int numChannels;
            size_t sizeInBytes;
        } linear;
        struct {
            CUdeviceptr devPtr;
            CUarray_format format;
            unsigned int numChannels;
            size_t width;
            size_t height;
            size_t pitchInBytes;
        } pitch2D;
        struct {
            int reserved[32];
        } reserved;
    } res;
    unsigned int flags;
} CUDA_RESOURCE_DESC;
typedef struct CUDA_TEXTURE_DESC_st {
    CUaddress_mode addressMode[3];
    CUfilter_mode filterMode;
    unsigned int flags;
    unsigned int maxAnisotropy;
    CUfilter_mode mipmapFilterMode;
    float mipmapLevelBias;
    float minMipmapLevelClamp;
    float maxMipmapLevelClamp;
    float borderColor[4];
    int reserved[12];
} CUDA_TEXTURE_DESC;
typedef struct cudaResourceViewDesc CUDA_RESOURCE_VIEW_DESC;
#define CU_LAUNCH_PARAM_END ((void*)0x00)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void*)0x01)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void*)0x02)
#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)

__CUDAIR_C_BEGIN

/* Modules and their kernels; those of linking are known by name, and unsupported. */
CUresult cuModuleLoad(CUmodule*, const char*);
CUresult cuModuleLoadData(CUmodule*, const void*);
CUresult cuModuleLoadDataEx(CUmodule*, const void*, unsigned int, CUjit_option*, void**);
CUresult cuModuleLoadFatBinary(CUmodule*, const void*);
CUresult cuModuleUnload(CUmodule);
CUresult cuModuleGetFunction(CUfunction*, CUmodule, const char*);
CUresult cuModuleGetGlobal(CUdeviceptr*, size_t*, CUmodule, const char*);
CUresult cuLaunchKernel(CUfunction, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int,
    unsigned int, CUstream, void**, void**);
CUresult cuLaunchCooperativeKernel(CUfunction, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int,
    unsigned int, unsigned int, CUstream, void**);
CUresult cuMemGetAllocationGranularity(size_t*, const CUmemAllocationProp*, CUmemAllocationGranularity_flags);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp*, CUmemGenericAllocationHandle);
CUresult cuMemAddressReserve(CUdeviceptr*, size_t, size_t, CUdeviceptr, unsigned long long);
CUresult cuMemAddressFree(CUdeviceptr, size_t);
CUresult cuMemCreate(CUmemGenericAllocationHandle*, size_t, const CUmemAllocationProp*, unsigned long long);
CUresult cuMemRelease(CUmemGenericAllocationHandle);
CUresult cuMemMap(CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle, unsigned long long);
CUresult cuMemUnmap(CUdeviceptr, size_t);
CUresult cuMemSetAccess(CUdeviceptr, size_t, const CUmemAccessDesc*, size_t);
CUresult cuLinkCreate(unsigned int, CUjit_option*, void**, CUlinkState*);
CUresult cuLinkAddData(CUlinkState, CUjitInputType, void*, size_t, const char*, unsigned int, CUjit_option*, void**);
CUresult cuLinkAddFile(CUlinkState, CUjitInputType, const char*, unsigned int, CUjit_option*, void**);
CUresult cuLinkComplete(CUlinkState, void**, size_t*);
CUresult cuLinkDestroy(CUlinkState);

__CUDAIR_C_END

/* The rest stands on the runtime. A context is the device's primary one, and always current. */
#define __CUDAIR_CU static __inline__ CUresult
#define __CUDAIR_RETURN(CALL) return (CUresult)(CALL)
#define __CUDAIR_CONTEXT ((CUcontext)(size_t)0x10)

__CUDAIR_CU cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
    struct cudaFuncAttributes all;
    cudaError_t error = value ? cudaFuncGetAttributes(&all, (const void*)function) : cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return (CUresult)error;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = all.maxThreadsPerBlock;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = (int)all.sharedSizeBytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
        *value = (int)all.constSizeBytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = (int)all.localSizeBytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = all.numRegs;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
        *value = all.ptxVersion;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = all.binaryVersion;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
        *value = all.cacheModeCA;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = all.maxDynamicSharedSizeBytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = all.preferredShmemCarveout;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}
__CUDAIR_CU cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    __CUDAIR_RETURN(cudaFuncSetAttribute((const void*)function, (enum cudaFuncAttribute)attribute, value));
}
__CUDAIR_CU cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads, size_t dynamic) {
    __CUDAIR_RETURN(cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)function, threads, dynamic));
}
typedef size_t (*CUoccupancyB2DSize)(int);
/* The largest block among those that keep most threads on a multiprocessor, and the blocks that fill the device. */
__CUDAIR_CU cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function, CUoccupancyB2DSize shared_of,
    size_t dynamic, int limit) {
    int most = 0, processors = 0, threads, best = 0;
    CUresult error = cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
    if (error == CUDA_SUCCESS && (grid == 0 || block == 0))
        error = CUDA_ERROR_INVALID_VALUE;
    if (error == CUDA_SUCCESS)
        error = (CUresult)cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    if (error != CUDA_SUCCESS)
        return error;
    if (limit > 0 && limit < most)
        most = limit;
    *grid = *block = 0;
    for (threads = (most + 31) / 32 * 32; threads > 0; threads -= 32) {
        int size = threads < most ? threads : most, blocks = 0;
        error = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, size,
            shared_of ? shared_of(size) : dynamic);
        if (error != CUDA_SUCCESS)
            return error;
        if (blocks * size > best) {
            best = blocks * size;
            *grid = blocks * processors;
            *block = size;
        }
    }
    return CUDA_SUCCESS;
}

__CUDAIR_CU cuInit(unsigned int flags) { return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }
__CUDAIR_CU cuDriverGetVersion(int* version) { __CUDAIR_RETURN(cudaDriverGetVersion(version)); }
__CUDAIR_CU cuGetErrorName(CUresult error, const char** name) {
    switch ((int)error) {
#define __CUDAIR_CU_CASE(NAME, NUMBER)                                                                 \
    case NUMBER:                                                                                       \
        *name = #NAME;                                                                                 \
        return CUDA_SUCCESS;
        __CUDAIR_CU_ERRORS(__CUDAIR_CU_CASE)
#undef __CUDAIR_CU_CASE
    }
    *name = 0;
    return CUDA_ERROR_INVALID_VALUE;
}
__CUDAIR_CU cuGetErrorString(CUresult error, const char** text) {
    const char* name = nullptr;
    CUresult known = cuGetErrorName(error, &name);
    *text = known == CUDA_SUCCESS ? cudaGetErrorString((cudaError_t)error) : nullptr;
    return known;
}
__CUDAIR_CU cuDeviceGetCount(int* count) { __CUDAIR_RETURN(cudaGetDeviceCount(count)); }
__CUDAIR_CU cuDeviceGet(CUdevice* device, int ordinal) {
    int count = 0;
    cudaGetDeviceCount(&count);
    if (ordinal < 0 || ordinal >= count)
        return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
}
__CUDAIR_CU cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
    __CUDAIR_RETURN(cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device));
}
__CUDAIR_CU cuDeviceGetName(char* name, int size, CUdevice device) {
    struct cudaDeviceProp properties;
    cudaError_t error = cudaGetDeviceProperties(&properties, device);
    int i = 0;
    if (error != cudaSuccess)
        return (CUresult)error;
    for (; i + 1 < size && properties.name[i] != 0; i++)
        name[i] = properties.name[i];
    if (size > 0)
        name[i] = 0;
    return CUDA_SUCCESS;
}
__CUDAIR_CU cuDeviceTotalMem(size_t* bytes, CUdevice device) {
    struct cudaDeviceProp properties;
    cudaError_t error = cudaGetDeviceProperties(&properties, device);
    if (error == cudaSuccess)
        *bytes = properties.totalGlobalMem;
    return (CUresult)error;
}
__CUDAIR_CU cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
    cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, device);
    __CUDAIR_RETURN(cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, device));
}
__CUDAIR_CU cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
    __CUDAIR_RETURN(cudaDeviceCanAccessPeer(can, device, peer));
}

__CUDAIR_CU cuCtxCreate(CUcontext* context, unsigned int flags, CUdevice device) {
    (void)flags;
    *context = __CUDAIR_CONTEXT;
    __CUDAIR_RETURN(cudaSetDevice(device));
}
__CUDAIR_CU cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* parameters, unsigned int flags, CUdevice device) {
    (void)parameters;
    return cuCtxCreate(context, flags, device);
}
#if defined(__cplusplus)
/* CUDA 13 calls that so. */
__CUDAIR_CU cuCtxCreate(CUcontext* context, CUctxCreateParams* parameters, unsigned int flags, CUdevice device) {
    return cuCtxCreate_v4(context, parameters, flags, device);
}
#endif
__CUDAIR_CU cuCtxDestroy(CUcontext context) {
    return context == __CUDAIR_CONTEXT ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
__CUDAIR_CU cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) { return cuCtxCreate(context, 0, device); }
__CUDAIR_CU cuDevicePrimaryCtxRelease(CUdevice device) {
    (void)device;
    return CUDA_SUCCESS;
}
__CUDAIR_CU cuCtxGetCurrent(CUcontext* context) {
    *context = __CUDAIR_CONTEXT;
    return CUDA_SUCCESS;
}
__CUDAIR_CU cuCtxSetCurrent(CUcontext context) {
    return context == __CUDAIR_CONTEXT || context == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
__CUDAIR_CU cuCtxPushCurrent(CUcontext context) { return cuCtxSetCurrent(context); }
__CUDAIR_CU cuCtxPopCurrent(CUcontext* context) { return context ? cuCtxGetCurrent(context) : CUDA_SUCCESS; }
__CUDAIR_CU cuCtxGetDevice(CUdevice* device) { __CUDAIR_RETURN(cudaGetDevice(device)); }
__CUDAIR_CU cuCtxSynchronize(void) { __CUDAIR_RETURN(cudaDeviceSynchronize()); }

__CUDAIR_CU cuMemGetInfo(size_t* unused, size_t* total) { __CUDAIR_RETURN(cudaMemGetInfo(unused, total)); }
__CUDAIR_CU cuMemAlloc(CUdeviceptr* ptr, size_t size) {
    void* memory = 0;
    cudaError_t error = size == 0 ? cudaErrorInvalidValue : cudaMalloc(&memory, size);
    if (error == cudaSuccess)
        *ptr = (CUdeviceptr)memory;
    return (CUresult)error;
}
__CUDAIR_CU cuMemAllocManaged(CUdeviceptr* ptr, size_t size, unsigned int flags) {
    void* memory = 0;
    cudaError_t error = cudaMallocManaged(&memory, size, flags);
    if (error == cudaSuccess)
        *ptr = (CUdeviceptr)memory;
    return (CUresult)error;
}
__CUDAIR_CU cuMemFree(CUdeviceptr ptr) { __CUDAIR_RETURN(cudaFree((void*)ptr)); }
__CUDAIR_CU cuMemAllocHost(void** ptr, size_t size) { __CUDAIR_RETURN(cudaMallocHost(ptr, size)); }
__CUDAIR_CU cuMemHostAlloc(void** ptr, size_t size, unsigned int flags) {
    __CUDAIR_RETURN(cudaHostAlloc(ptr, size, flags));
}
__CUDAIR_CU cuMemFreeHost(void* ptr) { __CUDAIR_RETURN(cudaFreeHost(ptr)); }
#define __CUDAIR_COPY_OF(N, TO, FROM, D, S, KIND)                                                      \
    __CUDAIR_CU N(TO to, FROM from, size_t size) { __CUDAIR_RETURN(cudaMemcpy(D, S, size, KIND)); }    \
    __CUDAIR_CU N##Async(TO to, FROM from, size_t size, CUstream stream) {                             \
        __CUDAIR_RETURN(cudaMemcpyAsync(D, S, size, KIND, stream));                                    \
    }
__CUDAIR_COPY_OF(cuMemcpyHtoD, CUdeviceptr, const void*, (void*)to, from, cudaMemcpyHostToDevice)
__CUDAIR_COPY_OF(cuMemcpyDtoH, void*, CUdeviceptr, to, (const void*)from, cudaMemcpyDeviceToHost)
__CUDAIR_COPY_OF(cuMemcpyDtoD, CUdeviceptr, CUdeviceptr, (void*)to, (const void*)from, cudaMemcpyDeviceToDevice)
__CUDAIR_COPY_OF(cuMemcpy, CUdeviceptr, CUdeviceptr, (void*)to, (const void*)from, cudaMemcpyDefault)
#undef __CUDAIR_COPY_OF
__CUDAIR_CU cuMemsetD8(CUdeviceptr ptr, unsigned char value, size_t count) {
    __CUDAIR_RETURN(cudaMemset((void*)ptr, value, count));
}
__CUDAIR_CU cuMemsetD8Async(CUdeviceptr ptr, unsigned char value, size_t count, CUstream stream) {
    __CUDAIR_RETURN(cudaMemsetAsync((void*)ptr, value, count, stream));
}

__CUDAIR_CU cuStreamCreate(CUstream* stream, unsigned int flags) {
    __CUDAIR_RETURN(cudaStreamCreateWithFlags(stream, flags));
}
__CUDAIR_CU cuStreamDestroy(CUstream stream) { __CUDAIR_RETURN(cudaStreamDestroy(stream)); }
__CUDAIR_CU cuStreamSynchronize(CUstream stream) { __CUDAIR_RETURN(cudaStreamSynchronize(stream)); }
__CUDAIR_CU cuStreamQuery(CUstream stream) { __CUDAIR_RETURN(cudaStreamQuery(stream)); }
__CUDAIR_CU cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
    __CUDAIR_RETURN(cudaStreamWaitEvent(stream, event, flags));
}
__CUDAIR_CU cuEventCreate(CUevent* event, unsigned int flags) {
    __CUDAIR_RETURN(cudaEventCreateWithFlags(event, flags));
}
__CUDAIR_CU cuEventDestroy(CUevent event) { __CUDAIR_RETURN(cudaEventDestroy(event)); }
__CUDAIR_CU cuEventRecord(CUevent event, CUstream stream) { __CUDAIR_RETURN(cudaEventRecord(event, stream)); }
__CUDAIR_CU cuEventSynchronize(CUevent event) { __CUDAIR_RETURN(cudaEventSynchronize(event)); }
__CUDAIR_CU cuEventElapsedTime(float* ms, CUevent start, CUevent end) {
    __CUDAIR_RETURN(cudaEventElapsedTime(ms, start, end));
}

/* Arrays and textures. */
static __inline__ struct cudaChannelFormatDesc __cudair_cu_channels(CUarray_format format, unsigned int channels) {
    int bits = format == CU_AD_FORMAT_FLOAT ? 32
               : format == CU_AD_FORMAT_HALF ? 16
                                             : 8 << (((int)format & 7) - 1);
    enum cudaChannelFormatKind kind = cudaChannelFormatKindUnsigned;
    if (format == CU_AD_FORMAT_FLOAT || format == CU_AD_FORMAT_HALF)
        kind = cudaChannelFormatKindFloat;
    else if ((int)format & 0x08) {
        kind = cudaChannelFormatKindSigned;
        bits = 8 << ((int)format & 7);
    }
    return cudaCreateChannelDesc(bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0, kind);
}
__CUDAIR_CU cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* description) {
    struct cudaChannelFormatDesc channels;
    if (array == 0 || description == 0 || description->NumChannels == 0 || description->NumChannels == 3 ||
        description->NumChannels > 4)
        return CUDA_ERROR_INVALID_VALUE;
    channels = __cudair_cu_channels(description->Format, description->NumChannels);
    __CUDAIR_RETURN(cudaMallocArray(array, &channels, description->Width, description->Height, 0));
}
__CUDAIR_CU cuArrayDestroy(CUarray array) { __CUDAIR_RETURN(cudaFreeArray(array)); }
__CUDAIR_CU cuMemcpy2D(const CUDA_MEMCPY2D* c) {
    int from_array = c->srcMemoryType == CU_MEMORYTYPE_ARRAY, to_array = c->dstMemoryType == CU_MEMORYTYPE_ARRAY;
    const char* from = (const char*)(c->srcMemoryType == CU_MEMORYTYPE_HOST ? c->srcHost : (const void*)c->srcDevice);
    char* to = (char*)(c->dstMemoryType == CU_MEMORYTYPE_HOST ? c->dstHost : (void*)c->dstDevice);
    size_t from_pitch = c->srcPitch ? c->srcPitch : c->WidthInBytes + c->srcXInBytes;
    size_t to_pitch = c->dstPitch ? c->dstPitch : c->WidthInBytes + c->dstXInBytes;
    if (!from_array)
        from += c->srcY * from_pitch + c->srcXInBytes;
    if (!to_array)
        to += c->dstY * to_pitch + c->dstXInBytes;
    if (from_array && to_array)
        __CUDAIR_RETURN(cudaMemcpy2DArrayToArray(c->dstArray, c->dstXInBytes, c->dstY, c->srcArray, c->srcXInBytes, c->srcY,
            c->WidthInBytes, c->Height, cudaMemcpyDeviceToDevice));
    if (to_array)
        __CUDAIR_RETURN(cudaMemcpy2DToArray(c->dstArray, c->dstXInBytes, c->dstY, from, from_pitch, c->WidthInBytes,
            c->Height, cudaMemcpyDefault));
    if (from_array)
        __CUDAIR_RETURN(cudaMemcpy2DFromArray(to, to_pitch, c->srcArray, c->srcXInBytes, c->srcY, c->WidthInBytes,
            c->Height, cudaMemcpyDefault));
    __CUDAIR_RETURN(cudaMemcpy2D(to, to_pitch, from, from_pitch, c->WidthInBytes, c->Height, cudaMemcpyDefault));
}
__CUDAIR_CU cuTexObjectCreate(CUtexObject* texture, const CUDA_RESOURCE_DESC* resource, const CUDA_TEXTURE_DESC* how,
    const CUDA_RESOURCE_VIEW_DESC* view) {
    struct cudaResourceDesc r;
    struct cudaTextureDesc t;
    struct cudaChannelFormatDesc channels;
    int i;
    __builtin_memset(&r, 0, sizeof r);
    __builtin_memset(&t, 0, sizeof t);
    r.resType = (enum cudaResourceType)resource->resType;
    switch (resource->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        r.res.array.array = resource->res.array.hArray;
        cudaGetChannelDesc(&channels, resource->res.array.hArray);
        break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        return CUDA_ERROR_NOT_SUPPORTED;
    case CU_RESOURCE_TYPE_LINEAR:
        channels = __cudair_cu_channels(resource->res.linear.format, resource->res.linear.numChannels);
        r.res.linear.devPtr = (void*)resource->res.linear.devPtr;
        r.res.linear.desc = channels;
        r.res.linear.sizeInBytes = resource->res.linear.sizeInBytes;
        break;
    case CU_RESOURCE_TYPE_PITCH2D:
        channels = __cudair_cu_channels(resource->res.pitch2D.format, resource->res.pitch2D.numChannels);
        r.res.pitch2D.devPtr = (void*)resource->res.pitch2D.devPtr;
        r.res.pitch2D.desc = channels;
        r.res.pitch2D.width = resource->res.pitch2D.width;
        r.res.pitch2D.height = resource->res.pitch2D.height;
        r.res.pitch2D.pitchInBytes = resource->res.pitch2D.pitchInBytes;
        break;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (i = 0; i < 3; i++)
        t.addressMode[i] = (enum cudaTextureAddressMode)how->addressMode[i];
    for (i = 0; i < 4; i++)
        t.borderColor[i] = how->borderColor[i];
    t.filterMode = (enum cudaTextureFilterMode)how->filterMode;
    /* Integers are read as fractions of their range unless the description says otherwise. */
    t.readMode = channels.f == cudaChannelFormatKindFloat || channels.x == 32 || how->flags & CU_TRSF_READ_AS_INTEGER
                     ? cudaReadModeElementType
                     : cudaReadModeNormalizedFloat;
    t.sRGB = (how->flags & CU_TRSF_SRGB) != 0;
    t.normalizedCoords = (how->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    t.maxAnisotropy = how->maxAnisotropy;
    t.mipmapFilterMode = (enum cudaTextureFilterMode)how->mipmapFilterMode;
    t.mipmapLevelBias = how->mipmapLevelBias;
    t.minMipmapLevelClamp = how->minMipmapLevelClamp;
    t.maxMipmapLevelClamp = how->maxMipmapLevelClamp;
    __CUDAIR_RETURN(cudaCreateTextureObject(texture, &r, &t, view));
}
__CUDAIR_CU cuTexObjectDestroy(CUtexObject texture) { __CUDAIR_RETURN(cudaDestroyTextureObject(texture)); }

#endif
#endif
