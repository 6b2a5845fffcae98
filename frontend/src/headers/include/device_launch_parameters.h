/* The built-in variables. Reads of their members are instructions, not memory accesses. */
#ifndef CUDAIR_DEVICE_LAUNCH_PARAMETERS_H
#define CUDAIR_DEVICE_LAUNCH_PARAMETERS_H

#include "vector_types.h"

#if defined(__CUDA__)
extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
extern const __device__ int warpSize;
#endif

#endif
