/* The driver's profiler calls. */
#pragma once

#include <cuda_profiler_api.h>
#include <cuda.h>
