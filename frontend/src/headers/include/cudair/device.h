/* Everything that device code may use without an #include. Where the parser knows which names a program
   mentions it defines __CUDAIR_PARTS and one __CUDAIR_PART_* for each part needed; else all are here. */
#ifndef CUDAIR_DEVICE_H
#define CUDAIR_DEVICE_H

#include <device_launch_parameters.h>

/* What a <<<...>>> becomes: clang looks the names up, the last two for launches from device code. */
extern "C" __host__ __device__ cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0,
                                                             cudaStream_t stream = 0);
extern "C" __host__ __device__ unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block,
                                                                        size_t shared = 0,
                                                                        struct CUstream_st* stream = 0);

extern "C" __device__ cudaError_t cudaLaunchDevice(void* kernel, void* parameters, dim3 grid, dim3 block,
                                                   unsigned int shared, cudaStream_t stream);
extern "C" __device__ void* cudaGetParameterBuffer(size_t align, size_t size);

#include "claims.h"
#include "libc.h"
#include "sync.h"
#if !defined(__CUDAIR_PARTS) || defined(__CUDAIR_PART_WARP)
#include "warp.h"
#endif
#if !defined(__CUDAIR_PARTS) || defined(__CUDAIR_PART_ATOMICS)
#include "atomics.h"
#endif
#if !defined(__CUDAIR_PARTS) || defined(__CUDAIR_PART_NV_ATOMIC)
#include "nv_atomic.h"
#endif
#if !defined(__CUDAIR_PARTS) || defined(__CUDAIR_PART_MEMORY)
#include "memory.h"
#endif
#if !defined(__CUDAIR_PARTS) || defined(__CUDAIR_PART_CLUSTER)
#include "cluster.h"
#endif
#if !defined(__CUDAIR_PARTS) || defined(__CUDAIR_PART_MATH)
#include "math.h"
#include "math_overloads.h"
#include "rounding.h"
#endif
#if !defined(__CUDAIR_PARTS) || defined(__CUDAIR_PART_INTEGER)
#include "integer.h"
#endif
#if !defined(__CUDAIR_PARTS) || defined(__CUDAIR_PART_SIMD)
#include "simd.h"
#endif
#if !defined(__CUDAIR_PARTS) || defined(__CUDAIR_PART_TEXTURE)
#include "texture.h"
#endif

#endif
