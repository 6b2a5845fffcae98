/* printf, malloc and kin on the device: they come with the runtime header. */
#pragma once

#include <cuda_runtime.h>
