/* The device runtime's interface. */
#pragma once

#include <cuda_runtime_api.h>
