/* printf, malloc and kin on the device. */
#pragma once

#include <cuda_runtime.h>
