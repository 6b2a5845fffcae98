/* Everything that device code may use without an #include. */
#ifndef CUDAIR_DEVICE_H
#define CUDAIR_DEVICE_H

#include "../device_launch_parameters.h"

/* What a <<<...>>> becomes: clang looks the name up. It is host and device, so that a launch from a
   kernel is one that cudair can name as unsupported. */
extern "C" __host__ __device__ cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0,
                                                             cudaStream_t stream = 0);
extern "C" __host__ __device__ unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block,
                                                                        size_t shared = 0,
                                                                        struct CUstream_st* stream = 0);

#include "libc.h"
#include "sync.h"
#include "warp.h"
#include "atomics.h"
#include "memory.h"
#include "math.h"
#include "math_overloads.h"
#include "integer.h"
#include "rounding.h"
#include "simd.h"

#endif
