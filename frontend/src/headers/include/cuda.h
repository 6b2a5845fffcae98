/* The driver interface header: programs of the runtime API include it for the common types. */
#ifndef CUDAIR_CUDA_H
#define CUDAIR_CUDA_H

#include <stddef.h>

#include "host_defines.h"

#define CUDA_VERSION __CUDAIR_CUDA_VERSION

#endif
