/* Device functions by architecture: they come with the runtime header. */
#pragma once

#include <cuda_runtime.h>
