/* The driver interface header: programs of the runtime API include it for the common types. */
#ifndef CUDAIR_CUDA_H
#define CUDAIR_CUDA_H

#include <stddef.h>

#include "host_defines.h"

#ifndef CUDA_VERSION
#define CUDA_VERSION 12090
#endif

#endif
