/* Attribute spellings of CUDA C, for clang's CUDA mode, for plain C and for plain C++. */
#ifndef CUDAIR_HOST_DEFINES_H
#define CUDAIR_HOST_DEFINES_H

/* The version that these headers present, as CUDART_VERSION has it. */
#ifndef __CUDAIR_CUDA_VERSION
#define __CUDAIR_CUDA_VERSION 12090
#endif

#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB

#define __no_return__ __attribute__((noreturn))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __thread__ __thread
#define __import__
#define __export__
#define __cdecl
#define __annotate__(a) __attribute__((a))
#define __location__(a) __annotate__(a)
#define __device_builtin__
#define __cudart_builtin__
#define __device_builtin_surface_type__
#define __device_builtin_texture_type__
#define __nv_pure__

#if defined(__CUDA__)
/* nvcc's predefined names; a program asks for them to know what compiles it. */
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __NVCC__
#define __NVCC__ 1
#endif
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ (__CUDAIR_CUDA_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (__CUDAIR_CUDA_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 79
#endif
#ifndef __CUDACC_EXTENDED_LAMBDA__
#define __CUDACC_EXTENDED_LAMBDA__ 1
#endif
#ifndef __CUDACC_RELAXED_CONSTEXPR__
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#endif

/* What the device's runtime has too. */
#define __CUDAIR_BOTH __attribute__((host)) __attribute__((device))
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
/* clang has no managed variables outside HIP: a device variable with a mark. */
#define __managed__ __attribute__((device)) __attribute__((annotate("cudair.managed")))
#define __launch_bounds__(...) __attribute__((annotate("cudair.launch_bounds", __VA_ARGS__)))
#define __maxnreg__(n) __attribute__((annotate("cudair.maxnreg", n)))
#define __cluster_dims__(...) __attribute__((annotate("cudair.cluster_dims", __VA_ARGS__)))
#define __block_size__(...) __attribute__((annotate("cudair.block_size", __VA_ARGS__)))
#define __grid_constant__ __attribute__((annotate("cudair.grid_constant")))
#else
#define __CUDAIR_BOTH
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __grid_constant__
#endif

/* Default arguments exist in C++ only. */
#if defined(__cplusplus)
#define __CUDAIR_DV(value) = value
#define __CUDAIR_C_BEGIN extern "C" {
#define __CUDAIR_C_END }
#else
#define __CUDAIR_DV(value)
#define __CUDAIR_C_BEGIN
#define __CUDAIR_C_END
#endif

/* A function whose body stands in for a CUDA function: what it does is reported at its caller. */
#define __CUDAIR_HD static __inline__ __host__ __device__ __attribute__((always_inline))
#define __CUDAIR_D static __inline__ __device__ __attribute__((always_inline))
#define __CUDAIR_H static __inline__ __host__ __attribute__((always_inline))

#endif
