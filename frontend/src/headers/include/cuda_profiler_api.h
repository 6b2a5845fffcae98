/* Profiler control: calls that do nothing to a program. */
#ifndef CUDAIR_CUDA_PROFILER_API_H
#define CUDAIR_CUDA_PROFILER_API_H

#include "driver_types.h"

__CUDAIR_C_BEGIN
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
__CUDAIR_C_END

#endif
