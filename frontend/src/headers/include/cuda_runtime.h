/* What nvcc includes into every .cu file first. In C, and in C++ that is not CUDA, the host API only. */
#ifndef CUDAIR_CUDA_RUNTIME_H
#define CUDAIR_CUDA_RUNTIME_H
/* Programs ask by the name of the toolkit's own guard whether this header was read. */
#define __CUDA_RUNTIME_H__

#include "host_defines.h"
#include "vector_types.h"
#include "driver_types.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"

#if !defined(__CUDAIR_PARTS) || defined(__CUDAIR_PART_VECTOR)
#include "vector_functions.h"
#endif
#if !defined(__CUDAIR_PARTS) || defined(__CUDAIR_PART_CHANNEL)
#include "channel_descriptor.h"
#endif

#if !defined(__CUDAIR_PARTS) || defined(__CUDAIR_PART_LIBRARY)
#include "library_types.h"
#endif

#if defined(__cplusplus)
#include "cudair/runtime_templates.h"
#endif

#if defined(__CUDA__)
#include "cudair/device.h"
#endif

/* nvcc's header includes <cmath> and <cstdlib>; they are read where the program may want std::sqrt, std::max. */
#if defined(__CUDAIR_STD_MATH) && defined(__CUDA__)
#include <cstdlib>
#include <cmath>
#endif
/* And <utility>, which a program has in mind even more seldom: read where it does not parse otherwise. */
#if defined(__CUDAIR_STD_UTILITY) && defined(__CUDA__)
#include <utility>
#endif

#endif
