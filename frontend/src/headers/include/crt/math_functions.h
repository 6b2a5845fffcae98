/* Mathematical functions. */
#pragma once

#include <cuda_runtime.h>
#include <math.h>
