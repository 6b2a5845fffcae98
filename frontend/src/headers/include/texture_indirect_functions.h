/* Texture and surface functions: they come with the runtime header. */
#pragma once

#include <cuda_runtime.h>
