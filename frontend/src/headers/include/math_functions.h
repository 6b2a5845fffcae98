/* Mathematical functions: they come with the runtime header. */
#pragma once

#include <cuda_runtime.h>
#include <math.h>
